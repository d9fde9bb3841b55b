#!/usr/bin/python3
"""Compares what opsig says of custom classes with what the real libtorch does with the same code: compile, load and call it.

usage: judge_classes.py [--system SYSTEM] DIR SEED ROWS OPSIG-COMMAND...

SEED draws ROWS rows of classes, and of schemas and kernels that use them; there is one row for each type of a method. What a
row is, and what the arguments are: see judge_rules.py.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import random
import sys

import judge_rules as rules
import libtorch as judges

# A compiler has to make the code of a class and of a kernel once only.
PROLOGUE = rules.PROLOGUE + """\
#ifdef JUDGE
struct SharedD : torch::CustomClassHolder {};
struct SharedC : torch::CustomClassHolder {
  int64_t get(int64_t by) { return by; }
  static int64_t zero() { return 0; }
  int64_t with(const c10::intrusive_ptr<SharedD> &d) { return 1; }
};
template <typename T> int64_t takes(const at::Tensor &x, T c) { return 1; }
template <typename T> T gives(const at::Tensor &x) { return {}; }
#define STATIC(n) auto s##n =
#else
#define STATIC(n) static auto s##n =
#endif
"""
# Each once: an assertion inside of a template fails for the first of its uses only.
MEMBERS = """
int; float; short; unsigned char; unsigned long; char; const char *; std::string_view; std::vector<bool>; at::TensorOptions
c10::DeviceType; std::complex<double>; std::pair<int64_t, int64_t>; std::set<int64_t>; std::map<std::string, int64_t>
std::vector<int>; std::vector<float>; c10::optional<long long>; long double
int64_t; double; bool; std::string; at::Tensor; const at::Tensor &; std::vector<int64_t>; std::vector<double>; at::Scalar
std::vector<std::string>; c10::optional<int64_t>; c10::optional<at::Tensor>; std::vector<at::Tensor>; at::Device; at::ScalarType
c10::Dict<std::string, int64_t>; c10::List<int64_t>; std::tuple<int64_t, double>; std::vector<std::vector<int64_t>>
"""
# Types that no parameter above makes the compiler refuse: it refuses what is instantiated twice only once.
RESULTS = """
std::unordered_map<std::string, int64_t>; c10::Dict<std::string, int64_t>; std::vector<std::string>; std::tuple<int64_t, double>
std::vector<bool>; std::vector<std::vector<bool>>; c10::optional<std::vector<bool>>; std::tuple<std::vector<bool>, int64_t>; at::ArrayRef<bool>
std::vector<at::Scalar>; c10::optional<std::vector<at::Scalar>>; c10::List<at::Scalar>; std::array<at::Scalar, 2>; at::ArrayRef<at::Scalar>
c10::Dict<std::string, at::Scalar>; std::unordered_map<std::string, at::Scalar>; c10::Dict<std::string, std::vector<bool>>
std::vector<std::unordered_map<std::string, int64_t>>; c10::optional<std::unordered_map<std::string, int64_t>>
std::unordered_map<std::string, std::vector<bool>>; std::unordered_map<std::string, std::unordered_map<std::string, int64_t>>
std::tuple<std::unordered_map<std::string, int64_t>, at::Scalar>; const std::unordered_map<std::string, int64_t> &
std::vector<at::ArrayRef<int64_t>>; c10::complex<double>; std::vector<c10::optional<int64_t>>
std::unordered_map<std::string, int>; c10::Dict<std::string, float>; std::vector<short>; c10::optional<c10::complex<float>>; c10::DeviceType
std::map<std::string, double>; std::pair<double, double>; std::set<double>; std::unique_ptr<int64_t>
"""
PLACES = [
    "int64_t f({t} x) {{ std::abort(); }}",
    "static int64_t f({t} x) {{ std::abort(); }}",
    "C{n}({t} x) {{ std::abort(); }}",
]


def compiled_rows():
    """Rows that the compiler judges, or libtorch if that takes them."""
    for number, cpp in enumerate(name.strip() for line in MEMBERS.strip().splitlines() for name in line.split(";")):
        place = PLACES[number % len(PLACES)]
        member = ".def(torch::init<%s>())" % cpp if number % len(PLACES) == 2 else '.def%s("f", &C{n}::f)' % ("_static" if number % 3 == 1 else "")
        yield (
            ["struct C{n} : torch::CustomClassHolder { %s };" % place.replace("{t}", cpp).replace("{{", "{").replace("}}", "}")],
            ['FRAGMENT(r{n}, 0) { m.class_<C{n}>("C")%s; }' % member],
        )
    for number, cpp in enumerate(name.strip() for line in RESULTS.strip().splitlines() for name in line.split(";")):
        static, define = ("static ", "def_static") if number % 3 == 2 else ("", "def")
        yield (
            ["struct C{n} : torch::CustomClassHolder { %s%s f() { std::abort(); } };" % (static, cpp)],
            ['FRAGMENT(r{n}, 0) { m.class_<C{n}>("C").%s("f", &C{n}::f); }' % define],
        )
    holder = ["struct C{n} : torch::CustomClassHolder {};"]
    for parameter in ("C{n} c", "const C{n} &c", "std::vector<C{n}> c", "c10::intrusive_ptr<C{n}> c", "const std::vector<c10::intrusive_ptr<C{n}>> &c"):
        yield (
            holder + ["static int64_t f{n}(%s) { std::abort(); }" % parameter],
            ['FRAGMENT(r{n}, 0) { m.class_<C{n}>("C"); m.def("f", &f{n}); }'],
        )
    yield (
        holder + ["static int64_t f{n}(const c10::intrusive_ptr<C{n}> &self, C{n} c) { std::abort(); }"],
        ['FRAGMENT(r{n}, 0) { m.class_<C{n}>("C").def("f", &f{n}); }'],
    )


# How a C++ type is a list or an optional of a pointer; {p} is the pointer, and the second the value of an argument.
WRAPS = {
    "": ("const {p} &", "c10::make_intrusive<C{n}>()"),
    "[]": ("const std::vector<{p}> &", "std::vector<{p}>{c10::make_intrusive<C{n}>()}"),
    "?": ("const c10::optional<{p}> &", "c10::make_intrusive<C{n}>()"),
}
POINTER = "c10::intrusive_ptr<C{n}>"
OUTSIDE = """\
#ifdef JUDGE
using D{n} = SharedD; using C{n} = SharedC; static auto &f{n} = %s;
#else
struct D{n} : torch::CustomClassHolder {};
struct C{n} : torch::CustomClassHolder {
  int64_t get(int64_t by) { return by; }
  static int64_t zero() { return 0; }
  int64_t with(const c10::intrusive_ptr<D{n}> &d) { return 1; }
};
%s
#endif"""
MEMBER_CALLS = ['.def("get", &C{n}::get)', '.def_static("zero", &C{n}::zero)', ".def(torch::init<>())", '.def("with", &C{n}::with)']


def registration(draw):
    """The statement that registers C, in a block or alone."""
    members = "".join(draw.sample(MEMBER_CALLS, draw.choice((0, 0, 1, 2, 3))))
    return draw.choice([
        'FRAGMENT(r{n}, 0) { m.class_<C{n}>("C")%s; }',
        'FRAGMENT(r{n}, 0) { m.class_<C{n}>("C")%s; }',
        'STATIC({n}) torch::class_<C{n}>("r{n}", "C")%s;',
        'STATIC({n}) torch::class_<C{n}>("other{n}", "C")%s;',
        'FRAGMENT(other{n}, 0) { m.class_<C{n}>("C")%s; }',
        'STATIC({n}) torch::class_<C{n}>("r{n}", "K")%s;',
    ]) % members


def class_rows(count, draw):
    """A class C and another one, D, whose namespace is the project's. Kernels take or give C, schemas name what is drawn."""
    for _ in range(count):
        wrap = draw.choice(list(WRAPS))
        parameter, value = (text.replace("{p}", POINTER) for text in WRAPS[wrap])
        right = "__torch__.torch.classes.r{n}.C" + wrap
        # Of classes in namespaces that are not the project's nothing is said.
        other = [right.replace(".C", name) for name in (".D", ".E", ".c")] + ["int", "Tensor"]
        named = draw.choice([right] * 9 + other)
        if draw.random() < 0.7:
            schema, values = "f(Tensor x, %s c) -> int" % named, ", c10::IValue(%s)" % value
            kernel = "takes<%s>" % parameter, "static int64_t f{n}(const at::Tensor &x, %s c) { return 1; }" % parameter
        else:
            schema, values = "f(Tensor x) -> " + named, ""
            given = parameter.replace("const ", "").replace(" &", "")
            kernel = "gives<%s>" % given, "static %s f{n}(const at::Tensor &x) { return {}; }" % given
        use, called = draw.choice([
            ('FRAGMENT(r{n}, 1) { m.def("f", &f{n}); }', True),
            ('FRAGMENT(r{n}, 1) { m.def("%s", &f{n}); }' % schema, True),
            ('FRAGMENT(r{n}, 1) { m.def("%s"); m.impl("f", &f{n}); }' % schema, True),
            ('FRAGMENT(r{n}, 1) { m.def("%s"); }' % schema, False),
        ])
        steps = [registration(draw), use]
        if draw.random() < 0.2:
            steps.reverse()
        if draw.random() < 0.15:
            steps.remove(next(step for step in steps if "class_" in step))
        steps.insert(draw.choice((0, 0, 0, 0, len(steps))), 'FRAGMENT(r{n}, 2) { m.class_<D{n}>("D"); }')
        if called:
            steps.append('CALL("r{n}::f", at::ones({1})%s)' % values)
        yield (OUTSIDE % kernel).splitlines(), steps


def main():
    libtorch, seed, count, command = judges.seeded_arguments(sys.argv[1:])
    rows, refused, wrong = rules.judge(
        libtorch, command, list(compiled_rows()), list(class_rows(count, random.Random(seed))), PROLOGUE
    )
    print("%d rows, %d refused; %d disagreements" % (rows, refused, wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())

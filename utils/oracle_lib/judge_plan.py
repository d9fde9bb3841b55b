# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares `opsig show --plan` with the files that torchgen.gen wrote.

torchgen's files => facts (op and key => kind, wrapper, kernel ...) <=> the plan of every op

Facts are read from the text of the files alone, so that a plan that claims what is not generated,
or keeps silent about what is, differs.
"""
import json
import re
import subprocess

from judge_show import OpsigFailed

IMPL = re.compile(r'm\.impl\("([^"]+)",\s*(.*?)\);+\n', re.DOTALL)
FUNCTION = re.compile(r"^[^\n;{}]*?(\w+)\(([^\n]*)\) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)


def read_all(folder, pattern, leave_out=()):
    """The texts of the files, without what is there a second time."""
    files = sorted(folder.glob(pattern))
    files = [f for f in files if not any(word in f.name for word in ("Everything", *leave_out))]
    return "\n".join(file.read_text() for file in files)


def plans_of(opsig, root, *options):
    command = [opsig, "show", "--plan", "--all", "--format", "json", *options]
    command += ["--torch-root", root.path.resolve()]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise OpsigFailed(done.stderr[-2000:])
    return [json.loads(line) for line in done.stdout.splitlines()]


def unambiguous(op):
    return op.replace(".", "_")


# ===-- Registrations


def wrapper_fact(body, parents, guarded):
    """What a wrapper does, from its text; `guarded`: classes that set a device guard."""
    fact = {"device_check": None, "device_guard": "none"}
    if "common_device" in body:
        fact["device_check"] = re.findall(r"common_device\(common_device, (\w+),", body)
    guard = re.search(r"device_guard\(device_of\((\w+)\)\)", body)
    if "device_guard(device_or_default(device))" in body:
        fact["device_guard"] = "options"
    elif guard:
        fact["device_guard"] = guard[1]
    structured = re.search(r"^(structured_\w+) op\b", body, re.MULTILINE)
    if structured:
        fact["class"] = structured[1]
        fact["parent"] = parents[structured[1]]
        if structured[1] in guarded:
            fact["device_guard"] = "outputs"
        if "op.impl(" in body:
            fact["kind"] = "structured-impl"
        else:
            calls_out = re.search(r"^at::\w+\(", body, re.MULTILINE)
            fact["kind"] = "structured-call-out" if calls_out else "structured-meta"
    elif re.search(r"auto \w+_tmp = ", body):
        fact["kind"] = "copy-from-functional"
    elif "TORCH_CHECK_NOT_IMPLEMENTED(" in body:
        fact["kind"] = "return-self"
    else:
        fact["kind"] = "wrapper"
        fact["calls"] = re.search(r"return ([\w:]+)\(", body)[1]
    return fact


def registration_facts(out):
    """(op, key) => what is registered."""
    facts = {}
    for file in sorted(out.glob("Register*.cpp")):
        if re.search("Everything|BackendSelect|Schema|Functionalization", file.name):
            continue
        text = file.read_text()
        bodies = {name: body for name, _, body in FUNCTION.findall(text)}
        parents = dict(re.findall(r"^struct (\w+) final : public ([\w:]+) \{", text, re.MULTILINE))
        classes = r"^struct (\w+) final : public [\w:]+ \{\n(.*?)^\};"
        found = re.findall(classes, text, re.MULTILINE | re.DOTALL)
        guarded = {name for name, body in found if "guard_.reset_device(" in body}
        blocks = r"TORCH_LIBRARY_IMPL\(aten, (\w+), m\) \{(.*?)\n\}"
        for key, block in re.findall(blocks, text, re.DOTALL):
            for op, kernel in IMPL.findall(block + "\n"):
                wrapper = re.fullmatch(r"TORCH_FN\((\w+)\)", kernel)[1]
                fact = wrapper_fact(bodies[wrapper], parents, guarded)
                facts[op, key] = {"wrapper": wrapper, **fact}
    return facts


def planned_registration(planned):
    fact = {"device_check": None}
    for name in ("wrapper", "kind", "device_check", "device_guard"):
        if name in planned:
            fact[name] = planned[name]
    if "class" in planned:
        fact["class"] = planned["class"]
        fact["parent"] = planned["parent"]
    elif planned["kind"] == "wrapper":
        fact["calls"] = planned["calls"]
    return fact


def judge_registrations(tally, plans, out):
    want = registration_facts(out)
    got = {
        (plan["op"], key): planned_registration(planned)
        for plan in plans
        for key, planned in plan["registrations"].items()
    }
    compare(tally, "plan: registrations", want, got)
    keys = {key for _, key in want}
    silent = {
        (plan["op"], key)
        for plan in plans
        for key in keys
        if key not in plan["registrations"]
        and not any(key in reason["keys"] for reason in plan["unregistered"])
    }
    tally.same("plan: every key is spoken of", "unregistered", [], sorted(silent))


def judge_declarations(tally, plans, out):
    """The kernel's declaration is in the header that the plan names."""
    texts = {}
    for plan in plans:
        for key, planned in plan["registrations"].items():
            if "declared_in" not in planned:
                continue
            file = out / planned["declared_in"].removeprefix("ATen/")
            if file not in texts:
                texts[file] = file.read_text() if file.is_file() else ""
            kernel = planned["calls"].split("::")[-1]
            declared = re.search(rf"\b{kernel}( :|\()", texts[file]) is not None
            where = f"{plan['op']} [{key}]: {kernel} in {planned['declared_in']}"
            tally.same("plan: headers of kernels", where, True, declared)


# ===-- Parts


def compare(tally, group, want, got):
    for where in sorted(set(want) | set(got), key=str):
        tally.same(group, where, want.get(where), got.get(where))


def part(plans, family, name=lambda plan, part: plan["op"], value=lambda part: part["kind"]):
    """name => value of every op whose plan has something of this family."""
    parts = ((plan, plan["parts"].get(family)) for plan in plans)
    return {name(plan, p): value(p) for plan, p in parts if p and p["kind"] != "none"}


def functionalization_entries(text):
    facts = {}
    for op, kernel in IMPL.findall(text):
        own = re.fullmatch(r"TORCH_FN\(functionalization::(\w+)\)", kernel)
        composite = re.search(r"\((at::native::[\w:]+)\)$", kernel)
        facts[op] = own[1] if own else composite[1] if composite else kernel
    return facts


def functionalization_kernels(text):
    heads = list(re.finditer(r"^ +[^\n]*?(\w+)\(c10::DispatchKeySet dispatchKeySet.*", text, re.M))
    facts = {}
    for head, following in zip(heads, [*heads[1:], None]):
        body = text[head.end() : following.start() if following else len(text)]
        if "mutate_view_meta(" in body:
            facts[head[1]] = "inplace-view"
        else:
            facts[head[1]] = "view" if "with_view_meta(" in body else "mutation"
    return facts


def judge_functionalization(tally, plans, root, out):
    text = read_all(out, "RegisterFunctionalization_*.cpp")
    group = "plan: functionalization"
    entries = part(plans, "functionalization", value=lambda p: p["what"])
    own = {op: what.removeprefix("at::functionalization::") for op, what in entries.items()}
    compare(tally, group, functionalization_entries(text), own)
    kernels = part(plans, "functionalization-kernel", lambda _, p: p["what"].split("::")[-1])
    compare(tally, group + " kernels", functionalization_kernels(text), kernels)
    # Later templates declare some themselves.
    header, template = (
        set(re.findall(r"static .*?(\w+)\(", (folder / "FunctionalInverses.h").read_text()))
        for folder in (out, root.aten / "templates")
    )
    want = dict.fromkeys(header - template, "declared")
    inverses = part(plans, "view-inverse", lambda _, p: p["what"])
    compare(tally, "plan: inverses of views", want, inverses)


def composite_name(plan):
    """What the kernel is called: a copy of a view as the YAML says."""
    kind, op = plan["parts"]["composite-kernel"]["kind"], plan["op"]
    if kind == "view-copy":
        registered = plan["registrations"]
        for key in ("CompositeExplicitAutogradNonFunctional", "CompositeExplicitAutograd"):
            if key in registered:
                return registered[key]["calls"].split("::")[-1].replace("_symint", "")
    return unambiguous(op) if kind == "out" else op.split(".")[0]


def judge_composites(tally, plans, out):
    text = (out / "CompositeViewCopyKernels.cpp").read_text()
    text = text[text.index("#include <ATen/ops/") :]
    names = re.findall(r"^\S[^\n]*? (\w+)\([^\n]*\) \{$", text, re.MULTILINE)
    helpers = {"inferSqueezeGeometry", "clone_arg", "copy_arg", "resize_out_helper"}
    want = sorted(name.replace("_symint", "") for name in names if name not in helpers)
    got = sorted(composite_name(plan) for plan in plans if "composite-kernel" in plan["parts"])
    tally.same("plan: composite kernels", "CompositeViewCopyKernels.cpp", want, got)


def plumbing_kind(body):
    if "auto results = batch_rule(" in body:
        return "functional"
    return "inplace" if re.search(r"  batch_rule\(.*\);\n  return ", body) else "no-returns"


def judge_vmap(tally, plans, out):
    text = (out / "VmapGeneratedPlumbing.h").read_text()
    ending = "_generated_plumbing"
    want = {
        name.removesuffix(ending): plumbing_kind(body)
        for name, _, body in FUNCTION.findall(text)
        if name.endswith(ending)
    }
    compare(tally, "plan: vmap", want, part(plans, "vmap", lambda p, _: unambiguous(p["op"])))


def judge_backend_select(tally, plans, out):
    text = (out / "RegisterBackendSelect.cpp").read_text()
    want = {}
    for block in re.split(r"^// aten::", text, flags=re.MULTILINE)[1:]:
        tensors = "multi_dispatch_key_set(" in block
        want[block.split("(")[0]] = "by-options-and-tensors" if tensors else "by-options"
    registered = re.findall(r'm\.impl\("aten::([^"]+)"', text)
    tally.same("plan: backend select", "registered", sorted(registered), sorted(want))
    compare(tally, "plan: backend select", want, part(plans, "backend-select"))


def judge_api(tally, plans, out):
    functions, templates = set(), set()
    call = re.compile(r"at::_ops::(\w+)::call")
    for file in (out / "ops").glob("*.h"):
        text = file.read_text()
        if f"#include <ATen/ops/{file.stem}_ops.h>" not in text:
            continue
        symint = re.findall(r"^namespace symint \{.*?^\}", text, re.MULTILINE | re.DOTALL)
        templates.update(name for block in symint for name in call.findall(block))
        for block in symint:
            text = text.replace(block, "")
        functions.update(call.findall(text))
    methods = set(call.findall((out / "core" / "TensorBody.h").read_text()))
    api = {"function": functions, "function-symint": templates, "method": methods}
    for family, names in api.items():
        got = part(plans, family, lambda plan, _: unambiguous(plan["op"]), lambda _: family)
        compare(tally, f"plan: {family} API", dict.fromkeys(names, family), got)


def judge_files(tally, plans, out):
    want = {file.name for file in out.glob("Ufunc*")}
    got = set()
    for plan in plans:
        for family, planned in plan["parts"].items():
            if family.startswith("ufunc-"):
                got.update(planned["what"].split(", "))
    tally.same("plan: files", "ufunc", sorted(want), sorted(got))
    want = {f"ATen/ops/{file.name}" for file in (out / "ops").iterdir()}
    got = {header for plan in plans for header in plan["headers"]}
    tally.same("plan: files", "ops/", sorted(want), sorted(got))


def judge_shims(tally, plans, shims):
    for file in sorted(shims.glob("c_shim_*.cpp")):
        want = {}
        for block in file.read_text().split("\nAOTITorchError ")[1:]:
            key = re.search(r" at::(?:(\w+)::)?\w+(?:<c10::SymInt>)?\(\n", block)[1]
            want[block.split("(")[0]] = key if key and key != "symint" else "dispatcher"
        planned = part(
            plans,
            file.stem.replace("c_", "").replace("_", "-"),
            lambda plan, p: p["what"],
            lambda p: p["why"].split()[-1].lower(),
        )
        # An operator with several shims names them all.
        got = {name: key for names, key in planned.items() for name in names.split(", ")}
        compare(tally, "plan: shims", want, got)


def static_call(body):
    """The namespaces of the functions that are called, or what is done instead."""
    if "switch (_dk)" in body:
        return ", ".join(re.findall(r"case DispatchKey::\w+:\s*return (at::\w+)::", body))
    called = re.search(r"return (at::\w+)::", body)
    return called[1] if called else "unsupported" if "TORCH_CHECK" in body else "none"


def judge_static_dispatch(tally, opsig, root, out, keys):
    """`out`: what torchgen wrote with --static_dispatch_backend `keys`."""
    text = read_all(out, "Operators_*.cpp")
    calls = r"^\S[^\n]*?(\w+)::call\([^\n]*\) \{\n(.*?)^\}"
    want = {name: static_call(body) for name, body in re.findall(calls, text, re.M | re.S)}
    got = {}
    for plan in plans_of(opsig, root, f"--static-dispatch-backend={','.join(keys)}"):
        planned = plan["parts"]["static-dispatch"]
        got[unambiguous(plan["op"])] = planned.get("what", planned["kind"])
    compare(tally, "plan: static dispatch", want, got)


def judge_plans(tally, opsig, root, out, shims):
    """`out`, `shims`: the folders that torchgen wrote with --per-operator-headers."""
    plans = plans_of(opsig, root)
    judge_registrations(tally, plans, out)
    judge_declarations(tally, plans, out)
    judge_functionalization(tally, plans, root, out)
    judge_composites(tally, plans, out)
    judge_vmap(tally, plans, out)
    judge_backend_select(tally, plans, out)
    judge_api(tally, plans, out)
    judge_files(tally, plans, out)
    judge_shims(tally, plans, shims)

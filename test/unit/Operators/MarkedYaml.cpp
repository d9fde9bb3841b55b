//===- MarkedYaml.cpp - YAML with its diagnostics written into it -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MarkedYaml.h"
#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig::test {
namespace {

struct Mark {
  std::string File;
  uint32_t Line, Column, Length;
  std::string Message;
  std::string Id;
  /// First and last of each; none: all.
  llvm::SmallVector<std::pair<const Dialect *, const Dialect *>, 3> Dialects;
  bool Stricter = false;

  bool holdsIn(const Dialect &D) const {
    auto Version = [](const Dialect &D) { return std::pair(D.Major, D.Minor); };
    return Dialects.empty() || llvm::any_of(Dialects, [&](const auto &Range) {
             return Version(*Range.first) <= Version(D) && Version(D) <= Version(*Range.second);
           });
  }
};

struct MarkedText {
  std::string Native, Tags, Backend;
  bool HasTags = false, HasBackend = false;
  std::vector<Mark> Marks;
};

/// The mark that \p Line is, or nothing.
std::optional<Mark> parseMark(llvm::StringRef Line) {
  llvm::StringRef Rest = Line.ltrim(' ');
  if (!Rest.starts_with("^"))
    return std::nullopt;
  Mark M;
  M.Column = Line.size() - Rest.size() + 1;
  llvm::StringRef Tail = Rest.drop_front().ltrim('~');
  M.Length = Rest.size() - Tail.size();
  auto [Message, After] = Tail.split(" [opsig-");
  M.Message = Message.trim().str();
  auto [Id, Conditions] = After.split(']');
  M.Id = Id.str();
  EXPECT_FALSE(M.Id.empty()) << "not a mark: " << Line.str();
  Conditions = Conditions.trim();
  if (size_t At = Conditions.find("(stricter: "); At != llvm::StringRef::npos) {
    M.Stricter = true;
    Conditions = Conditions.take_front(At).trim();
  }
  if (Conditions.consume_front("in ")) {
    llvm::SmallVector<llvm::StringRef, 3> Names;
    Conditions.split(Names, ", ");
    for (llvm::StringRef Name : Names) {
      bool IsOpen = Name.consume_back(" on");
      auto [First, Last] = Name.split(" to ");
      M.Dialects.push_back({&dialect(First), IsOpen         ? measuredDialects().back()
                                             : Last.empty() ? &dialect(First)
                                                            : &dialect(Last)});
    }
  } else {
    EXPECT_EQ(Conditions, "") << "not a mark: " << Line.str();
  }
  return M;
}

MarkedText unmark(llvm::StringRef Marked) {
  MarkedText Text;
  std::string *File = &Text.Native;
  std::string FileName = "native_functions.yaml";
  uint32_t LineNumber = 0;
  Marked.consume_front("\n");
  while (!Marked.empty()) {
    auto [Line, Rest] = Marked.split('\n');
    bool HasEnd = Line.size() != Marked.size();
    Marked = Rest;
    if (Line.starts_with("--- ")) {
      FileName = Line.drop_front(4).str();
      LineNumber = 0;
      File = FileName == "tags.yaml" ? &Text.Tags : &Text.Backend;
      (FileName == "tags.yaml" ? Text.HasTags : Text.HasBackend) = true;
    } else if (std::optional<Mark> M = parseMark(Line)) {
      M->File = FileName;
      M->Line = std::max(1u, LineNumber);
      Text.Marks.push_back(std::move(*M));
    } else {
      ++LineNumber;
      *File += Line.str() + (HasEnd ? "\n" : "");
    }
  }
  if (!Text.HasTags)
    Text.Tags = usualTags();
  if (Text.HasBackend && Text.Native.empty())
    Text.Native = backendOperators();
  return Text;
}

/// A diagnostic as the mark that would expect it.
std::string asMark(const Finding &D, const SourceFiles &Files) {
  return (Files.name(D.At.File) + ":" + std::to_string(D.At.Line) + "\n").str() +
         std::string(std::max(1u, D.At.Column) - 1, ' ') + "^" +
         std::string(std::max(1u, D.At.Length) - 1, '~') + " " + D.Message + " [opsig-" +
         findingName(D.Id).str() + "]\n";
}

void dump(const MarkedText &Text, const Dialect &D) {
  std::optional<std::string> Path = llvm::sys::Process::GetEnv("OPSIG_DUMP_CASES");
  if (!Path)
    return;
  std::error_code EC;
  llvm::raw_fd_ostream OS(*Path, EC, llvm::sys::fs::OF_Append);
  int Marks = 0, Stricter = 0;
  for (const Mark &M : Text.Marks)
    if (M.holdsIn(D)) {
      ++Marks;
      Stricter += M.Stricter;
    }
  const auto *Test = ::testing::UnitTest::GetInstance()->current_test_info();
  llvm::json::Object Case{{"name", std::string(Test->test_suite_name()) + "." + Test->name()},
                          {"dialect", D.Name},
                          {"native", Text.Native},
                          {"tags", Text.Tags},
                          {"marks", Marks},
                          {"stricter", Stricter}};
  if (Text.HasBackend)
    Case["backend"] = Text.Backend;
  OS << llvm::json::Value(std::move(Case)) << '\n';
}

void expectIn(const MarkedText &Text, const Dialect &D) {
  dump(Text, D);
  Loaded L(Text.Native, D, Text.Tags);
  if (Text.HasBackend && !L.Diags.hasErrors())
    L.loadBackendYaml(Text.Backend);
  L.Diags.sort(L.Files);

  std::string Found;
  for (const Finding &Diag : L.Diags.all())
    Found += asMark(Diag, L.Files);
  std::vector<const Mark *> Expected;
  for (const Mark &M : Text.Marks)
    if (M.holdsIn(D))
      Expected.push_back(&M);
  ASSERT_EQ(Expected.size(), L.Diags.size()) << "dialect " << D.Name.str() << " reports\n" << Found;
  for (auto [M, Diag] : llvm::zip(Expected, L.Diags.all())) {
    EXPECT_EQ(M->Id, findingName(Diag.Id).str()) << Found;
    EXPECT_EQ(M->File, L.Files.name(Diag.At.File).str()) << Found;
    EXPECT_EQ(M->Line, Diag.At.Line) << Found;
    EXPECT_EQ(M->Column, Diag.At.Column) << Found;
    EXPECT_EQ(M->Length, std::max(1u, Diag.At.Length)) << Found;
    EXPECT_TRUE(llvm::StringRef(Diag.Message).contains(M->Message))
        << "'" << M->Message << "' is not in dialect " << D.Name.str() << "'s\n"
        << Found;
  }
}

} // namespace

std::vector<const Dialect *> measuredDialects() {
  std::vector<const Dialect *> Verified;
  for (const Dialect *D : allDialects())
    if (D->Standing == DialectStanding::Verified)
      Verified.push_back(D);
  return Verified;
}

const Dialect &dialect(llvm::StringRef Name) {
  for (const Dialect *D : allDialects())
    if (D->Name == Name)
      return *D;
  ADD_FAILURE() << "no dialect '" << Name.str() << "'";
  return *allDialects()[0];
}

const char *usualTags() {
  return R"(
- tag: core
  desc: Belongs to the core set.
- tag: generated
  desc: Made by autogen.
- tag: inplace_view
  desc: Changes the metadata of self only.
- tag: nondeterministic_seeded
  desc: Draws random numbers.
- tag: view_copy
  desc: The copying form of a view.
)";
}

const char *backendOperators() {
  return R"(
- func: abs(Tensor self) -> Tensor
  dispatch:
    CompositeExplicitAutograd: abs

- func: abs_(Tensor(a!) self) -> Tensor(a!)
  dispatch:
    CompositeExplicitAutograd: abs_

- func: abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CPU, CUDA: abs_out

- func: add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
  dispatch:
    CPU: add

- func: sub.Tensor(Tensor self, Tensor other) -> Tensor
  dispatch:
    CPU: sub

- func: sub.Scalar(Tensor self, Scalar other) -> Tensor
  dispatch:
    CPU: sub

- func: expand_to(Tensor self, SymInt[] size) -> Tensor
  dispatch:
    CPU: expand_to
)";
}

void expectFindings(llvm::StringRef Marked) {
  MarkedText Text = unmark(Marked);
  for (const Dialect *D : measuredDialects())
    expectIn(Text, *D);
}

Loaded::Loaded(llvm::StringRef Native, const Dialect &D, llvm::StringRef Tags,
               const LoadOptions &Options) {
  SourceId Yaml = Files.add("native_functions.yaml", Native.str());
  SourceId TagsYaml = Files.add("tags.yaml", Tags.str());
  Ops = loadOperators(Yaml, TagsYaml, Files, D, Diags, Options);
}

void Loaded::loadBackendYaml(llvm::StringRef Text) {
  Backend = loadBackend(Files.add("backend.yaml", Text.str()), Files, *Ops, Diags);
}

std::string Loaded::printed() {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Diags.sort(Files);
  for (const Finding &D : Diags.all())
    printText(OS, D, Files);
  return Text;
}

std::unique_ptr<Loaded> load(llvm::StringRef Native, const Dialect &D, llvm::StringRef Tags,
                             const LoadOptions &Options) {
  auto L = std::make_unique<Loaded>(Native, D, Tags, Options);
  EXPECT_EQ(L->printed(), "");
  return L;
}

} // namespace opsig::test

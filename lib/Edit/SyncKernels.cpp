//===- SyncKernels.cpp - declarations and stubs that are added ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SyncInternal.h"
#include "opsig/Support/CodeFiles.h"
#include "opsig/Support/Printer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using namespace llvm;

namespace {

constexpr Template StubText = R"(
// ${schema}
${declaration} {
  TORCH_CHECK(false, "'${op}' is not implemented for ${key}");
})";
constexpr Template OpenNamespaceText = "namespace ${name} {";
constexpr Template CloseNamespaceText = "} // namespace ${name}";

class KernelSync {
public:
  KernelSync(SyncContext &Context, const BackendKernels &Kernels, std::vector<SyncEdit> &Out)
      : Context(Context), D(Context.Input.D), Kernels(Kernels), Out(Out) {}

  void declare();
  void define();

private:
  /// A class of which some part is in a file that may be edited.
  struct Scope {
    const UnitFacts *Unit = nullptr;
    const KernelScope *At = nullptr;
  };
  Scope findScope(StringRef Name, bool IsClass) const;
  /// A function of the namespace stands where a member of the class is expected, and is reported.
  bool isFree(const ExpectedKernel &W) const {
    return any_of(Kernels.Free, [&](const Match &M) { return M.Expected == &W; });
  }
  /// Whether \p W is the first one of \p Seen that its function stands for: items of a YAML may
  /// name one kernel.
  bool isFirst(const ExpectedKernel &W, StringSet<> &Seen) {
    return Seen
        .insert(W.Name + " " +
                pointerType(W.Signature, Context.Input.Units.front(), D, Context.Files))
        .second;
  }
  /// Of each wanted kernel what stands for it, among \p Matches and where \p Counts.
  std::vector<Found> partners(ArrayRef<Match> Matches, function_ref<bool(const Found &)> Counts);
  std::vector<std::string> declarations(const Slot &S, const Found &Like, bool IsInClass);
  std::string stub(const ExpectedKernel &W, const Found &Like, StringRef Surroundings);
  std::vector<std::string> stubs(const Slot &S, const Found &Like, StringRef Surroundings);
  void add(SyncEdit::Kind Is, SourceId File, const Insertion &I, size_t Count) {
    Out.push_back({Is, unsigned(Count), {{File, uint32_t(I.Offset), 0, I.Text}}});
  }
  SourceId fileOf(const Found &F) { return Context.Files.file(*F.Unit, F.Decl->Head.File); }
  /// Next to \p Anchor; nothing where its end cannot be told.
  std::optional<Insertion> nextTo(const Found &Anchor, const Slot &S, ArrayRef<std::string> Items,
                                  Gap G);
  void declareAtEnd(const Scope &Class, const Slot &S);
  void defineAtEnd(const Slot &S);

  SyncContext &Context;
  const Dialect &D;
  const BackendKernels &Kernels;
  std::vector<SyncEdit> &Out;
};

bool isHeader(StringRef File) {
  CodeFile Is = codeFile(File);
  return Is == CodeFile::Header || Is == CodeFile::GpuHeader || Is == CodeFile::Part;
}

KernelSync::Scope KernelSync::findScope(StringRef Name, bool IsClass) const {
  for (const UnitFacts &Unit : Context.Input.Units)
    for (const KernelScope &S : Unit.Scopes)
      if (S.IsClass == IsClass && S.Name == Name && (IsClass || !isHeader(Unit.MainFile)))
        return {&Unit, &S};
  return {};
}

std::vector<Found> KernelSync::partners(ArrayRef<Match> Matches,
                                        function_ref<bool(const Found &)> Counts) {
  std::vector<Found> Partners(Kernels.Expected.size());
  for (const Match &M : Matches)
    if (Counts(M.Kernel))
      Partners[find(Kernels.Expected, M.Expected) - Kernels.Expected.begin()] = M.Kernel;
  return Partners;
}

std::optional<Insertion> KernelSync::nextTo(const Found &Anchor, const Slot &S,
                                            ArrayRef<std::string> Items, Gap G) {
  StringRef Text = Context.Files.sources().text(fileOf(Anchor));
  Span Head = Anchor.Decl->Head;
  if (S.Where == Slot::Before)
    return insertBefore(Text, Head.Offset, Items, G);
  std::optional<size_t> End = endOfDeclaration(Text, Head.end());
  if (!End)
    return std::nullopt;
  return insertBehind(Text, Head.Offset, *End, Items, G);
}

//===-- declarations ---------------------------------------------------------===//

std::vector<std::string> KernelSync::declarations(const Slot &S, const Found &Like,
                                                  bool IsInClass) {
  std::vector<std::string> Items;
  for (size_t I : S.Items) {
    const ExpectedKernel &W = *Kernels.Expected[I];
    Items.push_back((IsInClass ? "static " : "") +
                    declarationLike(Like, W.Signature, W.Name, D, Context.Files) + ";");
  }
  return Items;
}

void KernelSync::declareAtEnd(const Scope &Class, const Slot &S) {
  StringRef Text = Context.textOf(*Class.Unit);
  Span Body = Class.At->Body;
  StringRef Outer = indentationAt(Text, Body.Offset);
  std::vector<std::string> Items = declarations(S, {Class.Unit, nullptr}, /*IsInClass=*/true);
  if (!Class.At->PublicAtEnd)
    Items.front() = "public:\n" + Items.front();
  add(SyncEdit::Declaration, Context.fileOf(*Class.Unit),
      insertAtEnd(Text, Body.Offset, Body.end(), Items, (Outer + "  ").str(), Gap::Line),
      S.Items.size());
}

void KernelSync::declare() {
  Scope Class = findScope(Kernels.Class, /*IsClass=*/true);
  if (!Class.At)
    return;
  SourceId File = Context.fileOf(*Class.Unit);
  auto InClass = [&](const Found &F) {
    Span At = F.Decl->NameAt, Body = Class.At->Body;
    return Context.Files.file(*F.Unit, At.File) == File && At.Offset >= Body.Offset &&
           At.Offset < Body.end();
  };
  std::vector<Found> Anchors = partners(Kernels.Declarations, InClass);
  for (auto [Anchor, Inline] : zip(Anchors, partners(Kernels.Definitions, InClass)))
    if (!Anchor)
      Anchor = Inline;
  std::vector<Presence> Items;
  StringSet<> Seen;
  for (auto [W, Anchor] : zip(Kernels.Expected, Anchors))
    // What is made by a macro is there, but no place to put others.
    Items.push_back(!Anchor && !isFree(*W) && isFirst(*W, Seen) ? Presence::Missing
                    : Anchor && Anchor.Decl->Head.isValid()     ? Presence::Here
                                                                : Presence::Elsewhere);
  for (const Slot &S : placeInOrder(Items)) {
    if (S.Where == Slot::AtEnd) {
      declareAtEnd(Class, S);
      continue;
    }
    const Found &Anchor = Anchors[S.Anchor];
    if (std::optional<Insertion> I =
            nextTo(Anchor, S, declarations(S, Anchor, /*IsInClass=*/true), Gap::Line))
      add(SyncEdit::Declaration, File, *I, S.Items.size());
  }
}

//===-- stubs ----------------------------------------------------------------===//

std::string KernelSync::stub(const ExpectedKernel &W, const Found &Like, StringRef Surroundings) {
  StringRef Scope = Kernels.Scope, Rest = Scope;
  if (Surroundings == Scope)
    Rest = "";
  else if (!Surroundings.empty() && Rest.consume_front(Surroundings))
    Rest.consume_front("::");
  std::string Name = (Rest.empty() ? "" : Rest.str() + "::") + W.Name;
  return printed<StubText>("schema"_hole = W.Function->SchemaText.Text,
                           "declaration"_hole =
                               declarationLike(Like, W.Signature, Name, D, Context.Files),
                           "op"_hole = W.Function->shownName(), "key"_hole = toString(W.Key));
}

std::vector<std::string> KernelSync::stubs(const Slot &S, const Found &Like,
                                           StringRef Surroundings) {
  std::vector<std::string> Items;
  for (size_t I : S.Items)
    Items.push_back(stub(*Kernels.Expected[I], Like, Surroundings));
  return Items;
}

void KernelSync::defineAtEnd(const Slot &S) {
  const std::string &Around = Kernels.IsNamespace ? Kernels.Scope : Kernels.Namespace;
  if (Scope Namespace = findScope(Around, /*IsClass=*/false); Namespace.At) {
    StringRef Text = Context.textOf(*Namespace.Unit);
    Span Body = Namespace.At->Body;
    add(SyncEdit::Stub, Context.fileOf(*Namespace.Unit),
        insertAtEnd(Text, Body.Offset, Body.end(), stubs(S, {Namespace.Unit, nullptr}, Around), "",
                    Gap::EmptyLine),
        S.Items.size());
    return;
  }
  const auto *Unit =
      find_if(Context.Input.Units, [](const UnitFacts &Unit) { return !isHeader(Unit.MainFile); });
  if (Unit == Context.Input.Units.end())
    return;
  std::vector<std::string> Items = stubs(S, {Unit, nullptr}, Around);
  if (!Around.empty()) {
    auto Name = "name"_hole = Around;
    Items.insert(Items.begin(), printed<OpenNamespaceText>(Name));
    Items.push_back(printed<CloseNamespaceText>(Name));
  }
  StringRef Text = Context.textOf(*Unit);
  add(SyncEdit::Stub, Context.fileOf(*Unit),
      insertAtEnd(Text, 0, Text.size(), Items, "", Gap::EmptyLine), S.Items.size());
}

void KernelSync::define() {
  if (Context.Input.Of != opsig::Scope::Project || Context.Input.Units.empty())
    return;
  std::vector<Found> Definitions =
      partners(Kernels.Definitions, [](const Found &) { return true; });
  auto IsAnchor = [&](const Found &F) {
    return F.Decl->Head.isValid() && Context.editable(*F.Unit, F.Decl->Head) &&
           !isHeader(F.Unit->Files[F.Decl->Head.File]);
  };
  std::vector<Presence> Items;
  StringSet<> Seen;
  for (auto [W, Definition] : zip(Kernels.Expected, Definitions))
    Items.push_back(
        Definition && IsAnchor(Definition) ? Presence::Here
        : Definition || W->Generated || isFree(*W) ||
                mayExistUnread(W->Name, Context.Input.Units) ||
                isDefinedWhereOff(Kernels.Scope + "::" + W->Name, Context.Input.Units) ||
                !isFirst(*W, Seen)
            ? Presence::Elsewhere
            : Presence::Missing);
  for (const Slot &S : placeInOrder(Items)) {
    if (S.Where == Slot::AtEnd) {
      defineAtEnd(S);
      continue;
    }
    const Found &Anchor = Definitions[S.Anchor];
    if (std::optional<Insertion> I =
            nextTo(Anchor, S, stubs(S, Anchor, Anchor.Decl->Surroundings), Gap::EmptyLine))
      add(SyncEdit::Stub, fileOf(Anchor), *I, S.Items.size());
  }
}

} // namespace

void opsig::syncKernels(SyncContext &Context, const BackendKernels &Kernels,
                        std::vector<SyncEdit> &Out) {
  // A class of another name is told of; stubs for the right one would only hide it.
  if (!Kernels.Misnamed.empty())
    return;
  KernelSync Sync(Context, Kernels, Out);
  if (!Kernels.IsNamespace)
    Sync.declare();
  Sync.define();
}

//===- CustomClasses.cpp - classes that kernels and schemas name --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RegisteredClass* of all units => C++ type <=> "ns.Name"
//   => types of schemas, kernels and members against it
//
// libtorch asks for a class by its C++ type and by its name at the moment when a kernel, a schema
// or a member that has it is registered.
//
//===----------------------------------------------------------------------===//
#include "Registered/RegistrationInternal.h"
#include "opsig/Support/DiagIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// A class and the unit that registers it.
struct ClassRef {
  const TranslationUnit *Unit;
  const RegisteredClass *Class;

  /// "ns.Name"; "" where a part of it is not known.
  std::string name() const {
    return Class->Namespace.empty() || Class->Name.empty() ? ""
                                                           : Class->Namespace + "." + Class->Name;
  }
};

/// T of `c10::intrusive_ptr<T>`; null for other types.
const CppType *pointee(const CppType &T) {
  return T.Is == CppType::Named && T.Name == "c10::intrusive_ptr" && !T.Args.empty()
             ? &T.Args.front()
             : nullptr;
}

bool isListOf(const CppType &T) {
  return T.isTemplate("std::vector") || T.isTemplate("c10::ArrayRef") ||
         T.isTemplate("at::ArrayRef") || T.isTemplate("c10::List");
}

bool isOptionalOf(const CppType &T) {
  return T.isTemplate("c10::optional") || T.isTemplate("std::optional");
}

/// A C++ type inside of \p T and what the schema has in its place, lists and optionals removed from
/// both; the latter is null where the two go apart.
struct TypePair {
  CppType Cpp;
  const ScriptType *Script;
};

TypePair innermost(const CppType &T, const ScriptType *Ty) {
  TypePair Out{T.decayed(), Ty};
  while (isListOf(Out.Cpp) || isOptionalOf(Out.Cpp)) {
    ScriptType::Kind Around = isListOf(Out.Cpp) ? ScriptType::List : ScriptType::Optional;
    Out.Script = Out.Script && Out.Script->Is == Around ? &Out.Script->Elements.front() : nullptr;
    Out.Cpp = CppType(Out.Cpp.Args.front()).decayed();
  }
  return Out;
}

/// A parameter, or the returned value.
struct TypeUse {
  const CppType *T;
  Span At;
  std::string What; ///< "parameter 'm' of 'read'"
  const ScriptArgument *Arg = nullptr;
};

class ClassChecker {
public:
  ClassChecker(const ClassCheck &All, SchemaOf Schema, UnitFiles &Files, Diagnostics &Diags);
  void run();

private:
  void checkSchema(const EntryRef &E);
  void checkClassName(const EntryRef &E, const ScriptArgument &Arg, const ScriptType &Ty);
  void checkKernel(const EntryRef &E, const ScriptSchema *Schema);
  void checkUse(const EntryRef &E, const TypeUse &Use);
  void checkPointee(const EntryRef &E, const TypeUse &Use, const TypePair &Pair);
  void compare(const EntryRef &E, const TypeUse &Use, const TypePair &Pair, const ClassRef &Class);
  void checkMembers(const ClassRef &Class);
  bool isOwnNamespace(StringRef Namespace) const;
  bool isOwnClass(const EntryRef &E, const CppType &T) const {
    return ByType.count(T.str()) || binary_search(E.Unit->Classes.Used, T.str());
  }
  const ClassRef *laterThan(const EntryRef &E, ArrayRef<ClassRef> Classes) const;
  std::vector<TypeUse> usesOf(const EntryRef &E, const ScriptSchema *Schema) const;
  void reportLater(const EntryRef &E, Place At, const ClassRef &Class);

  const ClassCheck &All;
  SchemaOf Schema;
  UnitFiles &Files;
  Diagnostics &Diags;
  /// Every class that a program of the project may have is in the tables.
  bool IsWhole = false;
  std::map<std::string, std::vector<ClassRef>> ByType, ByName;
  std::set<StringRef> Namespaces;
  /// Arguments and returns of schemas of whose class something was said.
  std::set<const ScriptArgument *> Said;
};

ClassChecker::ClassChecker(const ClassCheck &All, SchemaOf Schema, UnitFiles &Files,
                           Diagnostics &Diags)
    : All(All), Schema(Schema), Files(Files), Diags(Diags) {
  IsWhole = All.Of == Extent::Project;
  std::set<std::pair<FileId, uint32_t>> Seen; // a header's class is in each unit that includes it
  for (const TranslationUnit &Unit : All.Units) {
    IsWhole &= Unit.complete() && !Unit.Classes.MayHaveMore;
    for (const RegisteredClass &C : Unit.Classes.Registered) {
      ClassRef Ref{&Unit, &C};
      FileId File = C.At.isValid() ? Files.file(Unit, C.At.File) : FileId::None;
      if (File != FileId::None && !Seen.insert({File, C.At.Offset}).second)
        continue;
      IsWhole &= !Ref.name().empty();
      ByType[C.Type.str()].push_back(Ref);
      ByName[Ref.name()].push_back(Ref);
      Namespaces.insert(C.Namespace);
    }
  }
  for (const BlockRef &B : All.Blocks)
    if (B.Block->Is == RegistrationBlock::Library)
      Namespaces.insert(B.Block->Namespace);
}

bool ClassChecker::isOwnNamespace(StringRef Namespace) const {
  return !Namespace.empty() && Namespaces.count(Namespace);
}

/// The block whose braces hold the place; null for what stands elsewhere.
const RegistrationBlock *blockAround(const TranslationUnit &Unit, const Span &At) {
  for (const RegistrationBlock &Block : Unit.Registrations)
    if (Block.Is != RegistrationBlock::Unknown && Block.Body.isValid() && At.isValid() &&
        Block.Body.File == At.File && At.Offset >= Block.Body.Offset &&
        At.Offset < Block.Body.end())
      return &Block;
  return nullptr;
}

/// The class where it is registered once, in the same file, and behind \p E: what stands in blocks
/// runs in their order.
const ClassRef *ClassChecker::laterThan(const EntryRef &E, ArrayRef<ClassRef> Classes) const {
  if (Classes.size() != 1 || Classes[0].Unit != E.Unit || Classes[0].Class->Conditional)
    return nullptr;
  const Span &Class = Classes[0].Class->At, &Entry = E.Entry->At;
  const RegistrationBlock *Own = blockAround(*E.Unit, Entry), *Its = blockAround(*E.Unit, Class);
  return Own == E.Block && Own && Its && Class.File == Entry.File && Class.Offset > Entry.Offset
             ? &Classes[0]
             : nullptr;
}

void ClassChecker::reportLater(const EntryRef &E, Place At, const ClassRef &Class) {
  Diagnostic &Diag =
      Diags.report(diag::ClassUnregistered, At,
                   "the class '{0}' is registered only behind this; libtorch refuses what names it "
                   "before",
                   Class.name());
  if (E.Schema)
    Diag.op(operatorOf(E));
  Diag.note(Files.place(*Class.Unit, Class.Class->At), "the class is registered here");
}

void ClassChecker::checkClassName(const EntryRef &E, const ScriptArgument &Arg,
                                  const ScriptType &Ty) {
  for (const ScriptType &Element : Ty.Elements)
    checkClassName(E, Arg, Element);
  if (Ty.Is != ScriptType::Class)
    return;
  Place At = Files.place(*E.Unit, E.Entry->Text.at(Arg.TypeAt.Offset, Arg.TypeAt.Length));
  auto Known = ByName.find(Ty.Name);
  if (Known != ByName.end()) {
    if (const ClassRef *Later = laterThan(E, Known->second); Later && Said.insert(&Arg).second)
      reportLater(E, At, *Later);
    return;
  }
  if (!IsWhole || !isOwnNamespace(StringRef(Ty.Name).split('.').first) || !Said.insert(&Arg).second)
    return;
  std::vector<StringRef> Names;
  for (const auto &[Name, Classes] : ByName)
    Names.push_back(Name);
  Diags
      .report(diag::ClassUnregistered, At,
              "no file registers the class '{0}'; libtorch refuses a schema that names it{1}",
              Ty.Name, didYouMean(Ty.Name, Names))
      .op(operatorOf(E));
}

/// Every class that the string of a definition names.
void ClassChecker::checkSchema(const EntryRef &E) {
  for (const auto *List : {&E.Schema->Args, &E.Schema->Returns})
    for (const ScriptArgument &Arg : *List)
      checkClassName(E, Arg, Arg.Ty);
}

/// One for each parameter and return with what the schema has for it.
std::vector<TypeUse> ClassChecker::usesOf(const EntryRef &E, const ScriptSchema *Schema) const {
  const RegisteredKernel &K = E.Entry->Kernel;
  ArrayRef<KernelParam> Params = K.Decl.Params;
  unsigned First = !Params.empty() && TypeInference::isKeySet(Params[0].Canonical) ? 1 : 0;
  bool SameLength = Schema && Schema->Args.size() + First == Params.size();
  std::vector<TypeUse> Out;
  for (unsigned I = First; I < Params.size(); ++I)
    Out.push_back({&Params[I].Canonical, typeSpan(Params[I]),
                   "parameter " + paramName(Params[I], I) + " of " + kernelName(K),
                   SameLength ? &Schema->Args[I - First] : nullptr});
  const CppType &Return = K.Decl.ReturnCanonical;
  bool IsTuple = Return.Is == CppType::Named && Return.Name == "std::tuple";
  ArrayRef<CppType> Returned = IsTuple ? ArrayRef(Return.Args) : ArrayRef(Return);
  for (auto [I, T] : enumerate(Returned))
    Out.push_back(
        {&T, returnSpan(K), "the return of " + kernelName(K),
         Schema && Schema->Returns.size() == Returned.size() ? &Schema->Returns[I] : nullptr});
  return Out;
}

void ClassChecker::checkKernel(const EntryRef &E, const ScriptSchema *Schema) {
  if (E.Entry->Kernel.hasSignature())
    for (const TypeUse &Use : usesOf(E, Schema))
      checkUse(E, Use);
}

void ClassChecker::checkUse(const EntryRef &E, const TypeUse &Use) {
  TypePair Pair = innermost(*Use.T, Use.Arg ? &Use.Arg->Ty : nullptr);
  if (pointee(Pair.Cpp))
    return checkPointee(E, Use, Pair);
  if (Pair.Cpp.Is != CppType::Named || !isOwnClass(E, Pair.Cpp))
    return;
  Diagnostic &Diag = Diags.report(
      diag::ClassByValue, kernelPlace(E, Use.At, Files),
      "{0} is '{1}' by value; custom classes are handed over by 'c10::intrusive_ptr<{1}>'",
      Use.What, Pair.Cpp.written());
  if (E.Schema)
    Diag.op(operatorOf(E));
  addRegistrationNotes(Diag, E, {}, {}, Files);
}

void ClassChecker::checkPointee(const EntryRef &E, const TypeUse &Use, const TypePair &Pair) {
  CppType T = pointee(Pair.Cpp)->decayed();
  auto Known = ByType.find(T.str());
  if (Known == ByType.end()) {
    if (!IsWhole || !isOwnClass(E, T))
      return;
    if (Use.Arg)
      Said.insert(Use.Arg);
    Diagnostic &Diag = Diags.report(
        diag::ClassUnregistered, kernelPlace(E, Use.At, Files),
        "{0} is a '{1}', which no file registers by torch::class_; libtorch refuses the {2}",
        Use.What, T.written(), E.Block ? "kernel" : "member");
    if (E.Schema)
      Diag.op(operatorOf(E));
    addRegistrationNotes(Diag, E, {}, {}, Files);
    return;
  }
  const ClassRef *Later = E.Block ? laterThan(E, Known->second) : nullptr;
  if (Later && (!Use.Arg || Said.insert(Use.Arg).second))
    return reportLater(E, kernelPlace(E, Use.At, Files), *Later);
  if (Pair.Script && Known->second.size() == 1 && !Known->second[0].name().empty() &&
      haveSameNames(Known->second[0].Unit->Names, E.Unit->Names))
    compare(E, Use, Pair, Known->second[0]);
}

/// What a parameter is against what the schema says.
void ClassChecker::compare(const EntryRef &E, const TypeUse &Use, const TypePair &Pair,
                           const ClassRef &Class) {
  const ScriptType &Want = *Pair.Script;
  bool IsOpen = Want.Is != ScriptType::Class && isOpenType(Want);
  if (IsOpen || Want.is("Any") || Want == ScriptType{ScriptType::Class, Class.name(), {}} ||
      !Said.insert(Use.Arg).second)
    return;
  Diagnostic &Diag =
      Diags.report(diag::RegisteredKernelSchema, kernelPlace(E, Use.At, Files),
                   "{0} is a '{1}', which is registered as the class '{2}'; the schema has '{3}'",
                   Use.What, pointee(Pair.Cpp)->written(), Class.name(), Want.str());
  if (E.Schema)
    Diag.op(operatorOf(E));
  addRegistrationNotes(Diag, E, {}, {}, Files);
  Diag.note(Files.place(*Class.Unit, Class.Class->At), "the class is registered here");
}

/// Of a constructor, which is known by its types alone, and of a variable.
std::string memberName(const RegisteredClass &Class, const ClassMember &Member) {
  StringRef Type = Class.Type.Name;
  StringRef Last = Type.drop_front(Type.contains("::") ? Type.rfind("::") + 2 : 0);
  return (Type + "::" + (Member.Is == ClassMember::Init ? Last : StringRef(Member.Name))).str();
}

/// The members' types are inferred as those of kernels are.
void ClassChecker::checkMembers(const ClassRef &Class) {
  for (const ClassMember &Member : Class.Class->Members) {
    RegistrationEntry Entry;
    Entry.Kernel = Member.Kernel;
    Entry.At = Member.Kernel.Use;
    if (Entry.Kernel.Is == RegisteredKernel::Function && Entry.Kernel.Name.empty())
      Entry.Kernel.Name = memberName(*Class.Class, Member);
    EntryRef E{Class.Unit, nullptr, &Entry, std::nullopt, "", {}};
    checkKernelTypes(E, diag::ClassMethodType, Files, Diags);
    checkKernel(E, nullptr);
  }
}

void ClassChecker::run() {
  for (const auto &[Name, Classes] : ByName)
    for (const ClassRef &Class : Classes)
      checkMembers(Class);
  // What a kernel says of its class comes first: it knows what is meant.
  for (const EntryRef &E : All.Entries)
    checkKernel(E, Schema(E));
  for (const EntryRef &E : All.Entries)
    if (E.Entry->Is == RegistrationEntry::Def && E.Schema && !E.Schema->NameOnly)
      checkSchema(E);
}

} // namespace

void opsig::checkCustomClasses(const ClassCheck &All, SchemaOf Schema, UnitFiles &Files,
                               Diagnostics &Diags) {
  ClassChecker(All, Schema, Files, Diags).run();
}

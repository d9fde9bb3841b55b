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
#include "Registrations/RegistrationInternal.h"
#include "opsig/Support/CppName.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// A class and the unit that registers it.
struct ClassRef {
  const UnitFacts *Unit;
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

/// \p T without lists and optionals around it.
CppType innermost(const CppType &T) {
  CppType Out = T.decayed();
  while (isListOf(Out) || isOptionalOf(Out))
    Out = CppType(Out.Args.front()).decayed();
  return Out;
}

/// The schema's type for \p T, whose innermost part is a pointer to the class \p Name.
Type inferred(const CppType &T, StringRef Name) {
  CppType Bare = T.decayed();
  if (isListOf(Bare))
    return inferred(Bare.Args.front(), Name).list();
  if (isOptionalOf(Bare))
    return inferred(Bare.Args.front(), Name).optional();
  return Type::customClass(Name);
}

/// "c10::intrusive_ptr<Meter>", without what the template has by default.
std::string writtenShort(const CppType &T) {
  CppType Bare = T.decayed();
  if (pointee(Bare))
    Bare.Args.resize(1);
  for (CppType &A : Bare.Args)
    if (pointee(A))
      A.Args.resize(1);
  return Bare.written();
}

/// A parameter, or the returned value.
struct TypeUse {
  const CppType *T;
  Span At;
  std::string What; ///< "parameter 'm' of 'read'"
  const Argument *Arg = nullptr;
};

class ClassChecker {
public:
  ClassChecker(const ClassCheck &Given, SchemaOf Schema, UnitFiles &Files, Findings &Diags);
  void run();

private:
  void checkSchema(const EntryRef &E);
  void checkClassName(const EntryRef &E, const Argument &Arg, const Type &Ty);
  void checkKernel(const EntryRef &E, const KernelSchema &Schema);
  void checkUse(const EntryRef &E, const TypeUse &Use, const KernelSchema &Schema);
  void checkPointee(const EntryRef &E, const TypeUse &Use, const CppType &T,
                    const KernelSchema &Schema);
  void compare(const EntryRef &E, const TypeUse &Use, const ClassRef &Class,
               const KernelSchema &Schema);
  void checkMembers(const ClassRef &Class);
  bool isOwnNamespace(StringRef Namespace) const;
  bool isOwnClass(const EntryRef &E, const CppType &T) const {
    return ByType.count(T.str()) || binary_search(E.Unit->Classes.Used, T.str());
  }
  const ClassRef *laterThan(const EntryRef &E, ArrayRef<ClassRef> Classes) const;
  std::vector<TypeUse> usesOf(const EntryRef &E, const FunctionSchema *Schema) const;
  void reportLater(const EntryRef &E, Place At, const ClassRef &Class);

  const ClassCheck &Given;
  SchemaOf Schema;
  UnitFiles &Files;
  Findings &Diags;
  /// Every class that a program of the project may have is in the tables.
  bool IsWhole = false;
  std::map<std::string, std::vector<ClassRef>> ByType, ByName;
  std::set<StringRef> Namespaces;
  /// Arguments and returns of schemas of whose class something was said.
  std::set<const Argument *> Said;
};

ClassChecker::ClassChecker(const ClassCheck &Given, SchemaOf Schema, UnitFiles &Files,
                           Findings &Diags)
    : Given(Given), Schema(Schema), Files(Files), Diags(Diags) {
  IsWhole = Given.Of == Scope::Project;
  // A header's class is in each unit that includes it, and a macro may make several in one place.
  std::set<std::tuple<SourceId, uint32_t, std::string>> Seen;
  for (const UnitFacts &Unit : Given.Units) {
    IsWhole &= Unit.complete() && !Unit.Classes.MayHaveMore;
    for (const RegisteredClass &C : Unit.Classes.Registered) {
      ClassRef Ref{&Unit, &C};
      SourceId File = C.At.isValid() ? Files.file(Unit, C.At.File) : SourceId::None;
      if (File != SourceId::None &&
          !Seen.insert({File, C.At.Offset, C.Type.str() + Ref.name()}).second)
        continue;
      IsWhole &= !Ref.name().empty();
      ByType[C.Type.str()].push_back(Ref);
      ByName[Ref.name()].push_back(Ref);
      Namespaces.insert(C.Namespace);
    }
  }
}

bool ClassChecker::isOwnNamespace(StringRef Namespace) const {
  return !Namespace.empty() &&
         (Namespaces.count(Namespace) || Given.Registered.ownsNamespace(Namespace));
}

/// The block whose braces hold the place; null for what stands elsewhere.
const RegistrationBlock *blockAround(const UnitFacts &Unit, const Span &At) {
  for (const RegistrationBlock &Block : Unit.Registrations)
    if (Block.Body.isValid() && At.isValid() && Block.Body.File == At.File &&
        At.Offset >= Block.Body.Offset && At.Offset < Block.Body.end())
      return &Block;
  return nullptr;
}

/// Blocks, and variables of namespaces, run in the order in which they stand in their file. When a
/// function runs that fills somebody else's block, nobody knows.
bool runsInOrder(const UnitFacts &Unit, const Span &At) {
  const RegistrationBlock *Around = blockAround(Unit, At);
  return !Around || Around->Is != RegistrationBlock::Unknown;
}

/// The class where it is registered once, in the same file, and behind \p E, an entry of a block
/// or a member of a class.
const ClassRef *ClassChecker::laterThan(const EntryRef &E, ArrayRef<ClassRef> Classes) const {
  if (Classes.size() != 1 || Classes[0].Unit != E.Unit || Classes[0].Class->Conditional)
    return nullptr;
  const Span &Class = Classes[0].Class->At, &Entry = E.Entry->At;
  bool IsOwn = E.Block ? blockAround(*E.Unit, Entry) == E.Block : !E.Entry->Conditional;
  return IsOwn && runsInOrder(*E.Unit, Entry) && runsInOrder(*E.Unit, Class) && Class.isValid() &&
                 Entry.isValid() && Class.File == Entry.File && Class.Offset > Entry.Offset
             ? &Classes[0]
             : nullptr;
}

void ClassChecker::reportLater(const EntryRef &E, Place At, const ClassRef &Class) {
  Finding &Diag = Diags.report(
      finding::ClassUnregistered, At,
      "class '{0}' is registered after this use; register the class before operators that use it",
      Class.name());
  if (E.Schema)
    Diag.op(operatorOf(E));
  Diag.note(Files.place(*Class.Unit, Class.Class->At), "class registered here");
}

void ClassChecker::checkClassName(const EntryRef &E, const Argument &Arg, const Type &Ty) {
  for (const Type &Element : Ty.elements())
    checkClassName(E, Arg, Element);
  if (Ty.base() != BaseTy::CustomClass)
    return;
  Place At = E.place(Arg.TypeAt, Files);
  auto Known = ByName.find(Ty.name().str());
  if (Known != ByName.end()) {
    if (const ClassRef *Later = laterThan(E, Known->second); Later && Said.insert(&Arg).second)
      reportLater(E, At, *Later);
    return;
  }
  if (!IsWhole || !isOwnNamespace(Ty.name().split('.').first) || !Said.insert(&Arg).second)
    return;
  std::vector<StringRef> Names;
  for (const auto &[Name, Classes] : ByName)
    Names.push_back(Name);
  Diags
      .report(finding::ClassUnregistered, At,
              "class '{0}' is not registered, so libtorch rejects this schema{1}", Ty.name(),
              didYouMean(Ty.name(), Names))
      .op(operatorOf(E));
}

/// Every class that the string of a definition names.
void ClassChecker::checkSchema(const EntryRef &E) {
  for (const auto *List : {&E.Schema->Args.All, &E.Schema->Returns})
    for (const Argument &Arg : *List)
      checkClassName(E, Arg, Arg.Ty);
}

/// One for each parameter and return with what the schema has for it.
std::vector<TypeUse> ClassChecker::usesOf(const EntryRef &E, const FunctionSchema *Schema) const {
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

void ClassChecker::checkKernel(const EntryRef &E, const KernelSchema &Schema) {
  if (E.Entry->Kernel.hasSignature())
    for (const TypeUse &Use : usesOf(E, Schema.Schema))
      checkUse(E, Use, Schema);
}

void ClassChecker::checkUse(const EntryRef &E, const TypeUse &Use, const KernelSchema &Schema) {
  CppType T = innermost(*Use.T);
  if (const CppType *Class = pointee(T))
    return checkPointee(E, Use, CppType(*Class).decayed(), Schema);
  // A reference that is not const is refused as such.
  bool IsWritable = Use.T->Is == CppType::LeftRef && !Use.T->referee().Const;
  if (T.Is != CppType::Named || IsWritable || !isOwnClass(E, T))
    return;
  Finding &Diag = Diags.report(finding::ClassByValue, kernelPlace(E, Use.At, Files),
                               "{0} is '{1}'; pass custom classes as 'c10::intrusive_ptr<{1}>'",
                               Use.What, T.written());
  if (E.Schema)
    Diag.op(operatorOf(E));
  addRegistrationNotes(Diag, E, {}, {}, Files);
}

/// \p T is what the pointer points to.
void ClassChecker::checkPointee(const EntryRef &E, const TypeUse &Use, const CppType &T,
                                const KernelSchema &Schema) {
  auto Known = ByType.find(T.str());
  if (Known == ByType.end()) {
    if (!IsWhole || !isOwnClass(E, T))
      return;
    if (Use.Arg)
      Said.insert(Use.Arg);
    Finding &Diag = Diags.report(
        finding::ClassUnregistered, kernelPlace(E, Use.At, Files),
        "{0} is a '{1}', which is not registered with torch::class_, so libtorch rejects the {2}",
        Use.What, T.written(), E.Block ? "kernel" : "member");
    if (E.Schema)
      Diag.op(operatorOf(E));
    addRegistrationNotes(Diag, E, {}, {}, Files);
    return;
  }
  const ClassRef *Later = laterThan(E, Known->second);
  if (Later && (!Use.Arg || Said.insert(Use.Arg).second))
    return reportLater(E, kernelPlace(E, Use.At, Files), *Later);
  if (Use.Arg && Known->second.size() == 1 && !Known->second[0].name().empty() &&
      haveSameNames(Known->second[0].Unit->Names, E.Unit->Names))
    compare(E, Use, Known->second[0], Schema);
}

/// What a parameter is against what the schema says.
void ClassChecker::compare(const EntryRef &E, const TypeUse &Use, const ClassRef &Class,
                           const KernelSchema &Schema) {
  Type All = Use.Arg->Ty.dispatched(), Want = All.innermost();
  bool IsOpen = !Want.is(BaseTy::CustomClass) &&
                (isOpenType(Want) || Want.is(BaseTy::Variable) || Want.is(BaseTy::Any));
  if (IsOpen || All == inferred(*Use.T, Class.name()) || !Said.insert(Use.Arg).second)
    return;
  bool IsNowhere = Want.is(BaseTy::CustomClass) && IsWhole && !ByName.count(Want.name().str());
  Finding &Diag = Diags.report(
      IsNowhere ? finding::ClassUnregistered : finding::RegisteredKernelSchema,
      kernelPlace(E, Use.At, Files),
      "{0} is '{1}', whose class is registered as '{2}'; the schema has '{3}'{4}", Use.What,
      writtenShort(*Use.T), Class.name(), All.str(), IsNowhere ? ", which is not registered" : "");
  if (E.Schema)
    Diag.op(operatorOf(E));
  addRegistrationNotes(Diag, E, Schema, Use.Arg->TypeAt, Files);
  Diag.note(Files.place(*Class.Unit, Class.Class->At), "class registered here");
}

/// Of a constructor, which is known by its types alone, and of a variable.
std::string memberName(const RegisteredClass &Class, const ClassMember &Member) {
  StringRef Type = Class.Type.Name;
  return (Type +
          "::" + (Member.Is == ClassMember::Init ? lastCppName(Type) : StringRef(Member.Name)))
      .str();
}

/// The members' types are inferred as those of kernels are.
void ClassChecker::checkMembers(const ClassRef &Class) {
  for (const ClassMember &Member : Class.Class->Members) {
    RegistrationEntry Entry;
    Entry.Kernel = Member.Kernel;
    Entry.At = Member.Kernel.Use;
    Entry.Conditional = Class.Class->Conditional;
    if (Entry.Kernel.Is == RegisteredKernel::Function && Entry.Kernel.Name.empty())
      Entry.Kernel.Name = memberName(*Class.Class, Member);
    EntryRef E{Class.Unit, nullptr, &Entry, std::nullopt, ""};
    checkKernelTypes(E, finding::ClassMethodType, Files, Diags);
    checkKernel(E, {});
  }
}

void ClassChecker::run() {
  for (const auto &[Name, Classes] : ByName)
    for (const ClassRef &Class : Classes)
      checkMembers(Class);
  // What a kernel says of its class comes first: it knows what is meant.
  for (const EntryRef &E : Given.Registered.entries())
    checkKernel(E, Schema(E));
  for (const EntryRef &E : Given.Registered.entries())
    if (E.isDef() && E.Schema && !E.Schema->NameOnly)
      checkSchema(E);
}

} // namespace

void opsig::checkCustomClasses(const ClassCheck &Given, SchemaOf Schema, UnitFiles &Files,
                               Findings &Diags) {
  ClassChecker(Given, Schema, Files, Diags).run();
}

//===- Facts.cpp - translation units in files -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Serialize/FactsBytes.h"
#include "opsig/Frontend/ApiUse.h"
#include "opsig/Frontend/BodyFlow.h"
#include "opsig/Frontend/DispatcherCall.h"
#include "opsig/Frontend/Facts.h"
#include "opsig/Frontend/PythonFacts.h"
#include "opsig/Frontend/PythonModule.h"
#include "opsig/Frontend/PythonRegistrations.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"
#include <array>

using namespace opsig;
using namespace llvm;

/// Of the format of the file.
static constexpr int64_t FactsVersion = 33;

//===----------------------------------------------------------------------===//
// The fields of each struct. The bindings name all of them, so that none is forgotten: whoever
// adds one to a struct has to add it here, and raises FactsVersion.
//===----------------------------------------------------------------------===//

namespace opsig {

void namesAreNotAsManyAsFields();

/// As many words with blanks between them, or it does not compile.
template <size_t N> struct FieldNames {
  std::array<StringRef, N> All;
  template <size_t Length> consteval FieldNames(const char (&Text)[Length]) {
    size_t Count = 0, Begin = 0;
    for (size_t End = 0; End < Length; ++End)
      if (Text[End] == ' ' || End + 1 == Length) {
        if (Count < N)
          All[Count] = StringRef(Text + Begin, End - Begin);
        ++Count;
        Begin = End + 1;
      }
    if (Count != N)
      namesAreNotAsManyAsFields();
  }
};

template <typename V, typename... T>
static void visit(V &Visit, std::type_identity_t<FieldNames<sizeof...(T)>> Names, T &...Fields) {
  const StringRef *Name = Names.All.data();
  (Visit(*Name++, Fields), ...);
}

template <typename V> static void fields(V &Visit, CppType &T) {
  auto &[Is, Const, Volatile, Name, Args, At] = T;
  visit(Visit, "is const volatile name args at", Is, Const, Volatile, Name, Args, At);
}

template <typename V> static void fields(V &Visit, KernelParam &P) {
  auto &[Name, TypeText, Canonical, Whole, Type, NameAt, Default, DefaultValue, Use] = P;
  visit(Visit, "name type-text canonical whole type name-at default default-value use", Name,
        TypeText, Canonical, Whole, Type, NameAt, Default, DefaultValue, Use);
}

template <typename V> static void fields(V &Visit, EditBlocker &O) {
  auto &[Is, At] = O;
  visit(Visit, "is at", Is, At);
}

template <typename V> static void fields(V &Visit, VoidReturnPaths &E) {
  auto &[Open, Close, Returns, FallsOff, ReturnsValue] = E;
  visit(Visit, "open close returns falls-off returns-value", Open, Close, Returns, FallsOff,
        ReturnsValue);
}

template <typename V> static void fields(V &Visit, KernelDecl &K) {
  auto &[Name, Scope, Member, Definition, Internal, InMainFile, Undeclared, Editable, ForeignFile,
         Params, ReturnText, ReturnCanonical, Return, NameAt, ParamList, Head, Surroundings, Short,
         EditBlockers, Ends, Applies, TakesMemory, Redeclarations] = K;
  visit(Visit,
        "name scope member definition internal in-main-file undeclared editable foreign-file "
        "params return-text return-canonical return name-at param-list head surroundings short "
        "obstacles ends applies takes-memory redeclarations",
        Name, Scope, Member, Definition, Internal, InMainFile, Undeclared, Editable, ForeignFile,
        Params, ReturnText, ReturnCanonical, Return, NameAt, ParamList, Head, Surroundings, Short,
        EditBlockers, Ends, Applies, TakesMemory, Redeclarations);
}

template <typename V> static void fields(V &Visit, KernelScope &S) {
  auto &[Name, Body, IsClass, PublicAtEnd] = S;
  visit(Visit, "name body is-class public-at-end", Name, Body, IsClass, PublicAtEnd);
}

template <typename V> static void fields(V &Visit, LiteralText::Piece &P) {
  auto &[Offset, Length, Source, Shared] = P;
  visit(Visit, "offset length source shared", Offset, Length, Source, Shared);
}

template <typename V> static void fields(V &Visit, LiteralText &T) {
  auto &[Value, Pieces, Whole] = T;
  visit(Visit, "value pieces whole", Value, Pieces, Whole);
}

template <typename V> static void fields(V &Visit, StackValue &S) {
  auto &[Index, Type, TypeText, At, TypeAt, Conditional] = S;
  visit(Visit, "index type type-text at type-at conditional", Index, Type, TypeText, At, TypeAt,
        Conditional);
}

template <typename V> static void fields(V &Visit, StackUse &S) {
  auto &[Taken, Given, Whole] = S;
  visit(Visit, "taken given whole", Taken, Given, Whole);
}

template <typename V> static void fields(V &Visit, RegisteredKernel &K) {
  auto &[Is, Name, Noexcept, Interface, Use, Decl, Others, Editable, Symbol, Stack, Wrapped] = K;
  visit(Visit, "is name noexcept interface use decl others editable symbol stack wrapped", Is, Name,
        Noexcept, Interface, Use, Decl, Others, Editable, Symbol, Stack, Wrapped);
}

template <typename V> static void fields(V &Visit, RegistrationEntry &E) {
  auto &[Is, Text, TextKnown, Key, KeyUnknown, Conditional, SchemaUnread, InFunction, Branch,
         LastInner, Kernel, Tags, At, TextOnly] = E;
  visit(Visit,
        "is text text-known key key-unknown conditional schema-unread in-function branch "
        "last-inner kernel tags at text-only",
        Is, Text, TextKnown, Key, KeyUnknown, Conditional, SchemaUnread, InFunction, Branch,
        LastInner, Kernel, Tags, At, TextOnly);
}

template <typename V> static void fields(V &Visit, RegistrationBlock &B) {
  auto &[Is, Namespace, NamespaceMacro, Pasted, Key, Stable, At, Body, Variable, Entries, Complete,
         HandedInBranch, HandedTo, Filler] = B;
  visit(Visit,
        "is namespace namespace-macro pasted key stable at body variable entries complete "
        "handed-in-branch handed-to filler",
        Is, Namespace, NamespaceMacro, Pasted, Key, Stable, At, Body, Variable, Entries, Complete,
        HandedInBranch, HandedTo, Filler);
}

template <typename V> static void fields(V &Visit, ClassMember &M) {
  auto &[Is, Name, Kernel] = M;
  visit(Visit, "is name kernel", Is, Name, Kernel);
}

template <typename V> static void fields(V &Visit, RegisteredClass &C) {
  auto &[Namespace, Name, Type, At, Conditional, Members] = C;
  visit(Visit, "namespace name type at conditional members", Namespace, Name, Type, At, Conditional,
        Members);
}

template <typename V> static void fields(V &Visit, CustomClasses &C) {
  auto &[Registered, Used, MayHaveMore] = C;
  visit(Visit, "registered used may-have-more", Registered, Used, MayHaveMore);
}

/// Bases and templates by their place in the tables: a stamp is good for one opsig.
template <typename V> static void fields(V &Visit, TypeNames &N) {
  auto &[Bases, Templates, TakesDeviceIndex, SymIntsByValue, Strings] = N;
  auto &[TypeVariables, Awaits, ScalarTypes, DeviceTypes] = Strings;
  visit(Visit,
        "takes-device-index symints-by-value type-variables awaits scalar-types device-types",
        TakesDeviceIndex, SymIntsByValue, TypeVariables, Awaits, ScalarTypes, DeviceTypes);
  auto VisitArray = [&](StringRef Name, auto &Array) {
    std::vector Items(Array.begin(), Array.end());
    Visit(Name, Items);
    std::move(Items.begin(), Items.begin() + std::min(Items.size(), Array.size()), Array.begin());
  };
  VisitArray("bases", Bases);
  VisitArray("templates", Templates);
}

template <typename V> static void fields(V &Visit, FlowValue &F) {
  auto &[Is, Index, From] = F;
  visit(Visit, "is index from", Is, Index, From);
}

template <typename V> static void fields(V &Visit, FlowArgument &A) {
  auto &[Param, Position, Value, Writable] = A;
  visit(Visit, "param position value writable", Param, Position, Value, Writable);
}

template <typename V> static void fields(V &Visit, FlowCall &C) {
  auto &[Callee, TensorParams, ParamTypes, Args, Flow, Symbol, At] = C;
  visit(Visit, "callee tensor-params param-types args flow symbol at", Callee, TensorParams,
        ParamTypes, Args, Flow, Symbol, At);
}

template <typename V> static void fields(V &Visit, FlowWrite &W) {
  auto &[Value, At] = W;
  visit(Visit, "value at", Value, At);
}

template <typename V> static void fields(V &Visit, FlowReturn &R) {
  auto &[Value, At] = R;
  visit(Visit, "value at", Value, At);
}

template <typename V> static void fields(V &Visit, FlowNumber &N) {
  auto &[Param, Is, At] = N;
  visit(Visit, "param is at", Param, Is, At);
}

template <typename V> static void fields(V &Visit, FunctionFlow &F) {
  auto &[Name, Symbol, NameAt, NumParams, Values, Calls, Writes, Returns, Escapes, Handed, Numbers,
         Complete, Finishes] = F;
  visit(Visit,
        "name symbol name-at num-params values calls writes returns escapes handed numbers "
        "complete finishes",
        Name, Symbol, NameAt, NumParams, Values, Calls, Writes, Returns, Escapes, Handed, Numbers,
        Complete, Finishes);
}

template <typename V> static void fields(V &Visit, TypedHandle &T) {
  auto &[Signature, Calls] = T;
  visit(Visit, "signature calls", Signature, Calls);
}

template <typename V> static void fields(V &Visit, OperatorLookup &L) {
  auto &[Function, Name, Overload, Optional, At, Typed] = L;
  visit(Visit, "function name overload optional at typed", Function, Name, Overload, Optional, At,
        Typed);
}

template <typename V> static void fields(V &Visit, GradientReturn &R) {
  auto &[Count, LastDefined, At] = R;
  visit(Visit, "count last-defined at", Count, LastDefined, At);
}

template <typename V> static void fields(V &Visit, AutogradFunction &F) {
  auto &[Name, NumArgs, FewestArgs, ForwardAt, Returns] = F;
  visit(Visit, "name num-args fewest-args forward-at returns", Name, NumArgs, FewestArgs, ForwardAt,
        Returns);
}

template <typename V> static void fields(V &Visit, RegistrationReach &R) {
  auto &[Anywhere, Namespaces] = R;
  visit(Visit, "anywhere namespaces", Anywhere, Namespaces);
}

template <typename V> static void fields(V &Visit, TemplateDefinition &T) {
  auto &[Name, NameAt, Used] = T;
  visit(Visit, "name name-at used", Name, NameAt, Used);
}

template <typename V> static void fields(V &Visit, ApiArgument &A) {
  auto &[At, Type, IsConst, IsLvalue] = A;
  visit(Visit, "at type const lvalue", At, Type, IsConst, IsLvalue);
}

template <typename V> static void fields(V &Visit, ApiOptions &O) {
  auto &[Known, Like, Dtype, Layout, Device, PinMemory, RequiresGrad, Variables] = O;
  visit(Visit, "known like dtype layout device pin-memory requires-grad variables", Known, Like,
        Dtype, Layout, Device, PinMemory, RequiresGrad, Variables);
}

template <typename V> static void fields(V &Visit, ApiUse &U) {
  auto &[Is, Name, Header, At, NameAt, TemplateArgs, TemplateText, Object, ObjectType, Arrow,
         ObjectConst, ObjectLvalue, ArgList, Args, Params, Options, OnlyRead, InMacro, Count] = U;
  visit(Visit,
        "is name header at name-at template-args template-text object object-type arrow "
        "object-const object-lvalue arg-list args params options only-read in-macro count",
        Is, Name, Header, At, NameAt, TemplateArgs, TemplateText, Object, ObjectType, Arrow,
        ObjectConst, ObjectLvalue, ArgList, Args, Params, Options, OnlyRead, InMacro, Count);
}

template <typename V> static void fields(V &Visit, BoundArgument &A) {
  auto &[Name, HasDefault, Default] = A;
  visit(Visit, "name has-default default", Name, HasDefault, Default);
}

template <typename V> static void fields(V &Visit, BoundFunction &F) {
  auto &[Name, Doc, Kernel, Args, Other, At] = F;
  visit(Visit, "name doc kernel args other at", Name, Doc, Kernel, Args, Other, At);
}

template <typename V> static void fields(V &Visit, PythonModule &M) {
  auto &[At, Body, Variable, Functions, Other] = M;
  visit(Visit, "at body variable functions other", At, Body, Variable, Functions, Other);
}

template <typename V> static void fields(V &Visit, PythonUse &U) {
  auto &[Decl, Releases, Other] = U;
  visit(Visit, "decl releases other", Decl, Releases, Other);
}

template <typename V> static void fields(V &Visit, SkippedDefinition &D) {
  auto &[Name, At] = D;
  visit(Visit, "name at", Name, At);
}

template <typename V> static void fields(V &Visit, SkippedBranch &B) {
  auto &[Lines, Directive, OfOther] = B;
  visit(Visit, "lines directive of-other", Lines, Directive, OfOther);
}

template <typename V> static void fields(V &Visit, PythonText &P) {
  auto &[Value, Whole, IsKnown, Exact] = P;
  visit(Visit, "value whole known exact", Value, Whole, IsKnown, Exact);
}

template <typename V> static void fields(V &Visit, PythonType &P) {
  auto &[At, Text, Word, Refused, NeedsBuiltinLists, NeedsModuleNames, NeedsImpliedNames,
         NeedsQuotes, NeedsGenerators, Instead, Plain, Imported, InsteadNeedsBuiltinLists] = P;
  visit(Visit,
        "at text word refused builtin-lists module-names implied-names quotes generators instead "
        "plain imported instead-builtin-lists",
        At, Text, Word, Refused, NeedsBuiltinLists, NeedsModuleNames, NeedsImpliedNames,
        NeedsQuotes, NeedsGenerators, Instead, Plain, Imported, InsteadNeedsBuiltinLists);
}

template <typename V> static void fields(V &Visit, PythonParameter &P) {
  auto &[Is, Name, Whole, NameAt, Type, HasDefault, DefaultAt, DefaultText, Default,
         DefaultIsConstant, DefaultRefused] = P;
  visit(Visit,
        "is name whole name-at type has-default default-at default-text default default-constant "
        "default-refused",
        Is, Name, Whole, NameAt, Type, HasDefault, DefaultAt, DefaultText, Default,
        DefaultIsConstant, DefaultRefused);
}

template <typename V> static void fields(V &Visit, PythonReturn::Element &P) {
  auto &[At, IsNone, CutAt] = P;
  visit(Visit, "at none cut-at", At, IsNone, CutAt);
}

template <typename V> static void fields(V &Visit, PythonReturn &P) {
  auto &[Is, Tensors, At, Count, Defined, Callee, FirstIs, SecondIs, ValueAt, Ends, Elements,
         FirstCount, SecondCount] = P;
  visit(Visit,
        "is tensors at count defined callee first-is second-is value-at ends elements first-count "
        "second-count",
        Is, Tensors, At, Count, Defined, Callee, FirstIs, SecondIs, ValueAt, Ends, Elements,
        FirstCount, SecondCount);
}

template <typename V> static void fields(V &Visit, PythonUnpack &P) {
  auto &[Is, Parameter, Count, Word, At] = P;
  visit(Visit, "is parameter count word at", Is, Parameter, Count, Word, At);
}

template <typename V> static void fields(V &Visit, PythonCallable &P) {
  auto &[Name, Qualified, Form, At, NameAt, List, Slash, Parameters, Returns, Gives, Results,
         FallsOff, Unpacks, Alters] = P;
  visit(Visit,
        "name qualified form at name-at list slash parameters returns gives results falls-off "
        "unpacks alters",
        Name, Qualified, Form, At, NameAt, List, Slash, Parameters, Returns, Gives, Results,
        FallsOff, Unpacks, Alters);
}

template <typename V> static void fields(V &Visit, PythonReference &P) {
  auto &[IsGiven, At, Function, Import, Skip, Keywords, Why] = P;
  visit(Visit, "given at function import skip keywords why", IsGiven, At, Function, Import, Skip,
        Keywords, Why);
}

template <typename V> static void fields(V &Visit, PythonMutates &P) {
  auto &[IsGiven, Unknown, At, Names, Word] = P;
  visit(Visit, "given unknown at names word", IsGiven, Unknown, At, Names, Word);
}

template <typename V> static void fields(V &Visit, PythonGuard &P) {
  auto &[Op, Exists] = P;
  visit(Visit, "op exists", Op, Exists);
}

template <typename V> static void fields(V &Visit, LibraryUse &P) {
  auto &[What, Api, At, Op, Function, Setup, Keys, Devices, HasSchema, KeySet, Conditional,
         InFunction, Tagged, NeverReplaces, LacksMutates, Refused, BlockKey, Mutates, Schema,
         Unnamed, Expression, Extension, Signature, Guards] = P;
  visit(Visit,
        "what api at op function setup keys devices has-schema key-set conditional in-function "
        "tagged never-replaces lacks-mutates refused block-key mutates schema unnamed "
        "expression extension signature guards",
        What, Api, At, Op, Function, Setup, Keys, Devices, HasSchema, KeySet, Conditional,
        InFunction, Tagged, NeverReplaces, LacksMutates, Refused, BlockKey, Mutates, Schema,
        Unnamed, Expression, Extension, Signature, Guards);
}

template <typename V> static void fields(V &Visit, PythonLibrary &P) {
  auto &[At, Namespace, Kind, Key, Lost] = P;
  visit(Visit, "at namespace kind key lost", At, Namespace, Kind, Key, Lost);
}

template <typename V> static void fields(V &Visit, PythonApi &P) {
  auto &[Name, At, Guarded] = P;
  visit(Visit, "name at guarded", Name, At, Guarded);
}

template <typename V> static void fields(V &Visit, PythonClass &P) {
  auto &[Name, At, Forward, Backward, Setup] = P;
  visit(Visit, "name at forward backward setup", Name, At, Forward, Backward, Setup);
}

template <typename V> static void fields(V &Visit, PythonShape &P) {
  auto &[Is, Function, Param, At, What, Instead] = P;
  visit(Visit, "is function param at what instead", Is, Function, Param, At, What, Instead);
}

template <typename V> static void fields(V &Visit, PythonOffer &P) {
  auto &[Name, Of] = P;
  visit(Visit, "name of", Name, Of);
}

template <typename V> static void fields(V &Visit, PythonFacts &P) {
  auto &[Functions, Uses, Libraries, Apis, Classes, Shapes, Backends, Offers, IsScript] = P;
  visit(Visit, "functions uses libraries apis classes shapes backends offers script", Functions,
        Uses, Libraries, Apis, Classes, Shapes, Backends, Offers, IsScript);
}

template <typename V> static void fields(V &Visit, UnitFacts &U) {
  auto &[MainFile, Files, Kernels, Definitions, Scopes, Registrations, Classes, Flows, Lookups,
         Functions, Unused, Symbols, Templates, Names, Parsed, MissingHeaders, NumErrors, Garbled,
         FirstError, Mentioned, Reach, TorchFolders, Uses, Modules, PythonUses, SkippedDefinitions,
         OtherBranches, Branches, BranchFlags, RaisedStandard, Python] = U;
  visit(Visit,
        "main-file files kernels definitions scopes registrations classes flows lookups functions "
        "uses modules python-uses unused symbols templates names parsed missing-headers errors "
        "garbled first-error mentioned reach skipped-definitions other-branches branches "
        "branch-flags raised-standard python",
        MainFile, Files, Kernels, Definitions, Scopes, Registrations, Classes, Flows, Lookups,
        Functions, Uses, Modules, PythonUses, Unused, Symbols, Templates, Names, Parsed,
        MissingHeaders, NumErrors, Garbled, FirstError, Mentioned, Reach, SkippedDefinitions,
        OtherBranches, Branches, BranchFlags, RaisedStandard, Python);
}

template <typename V> static void fields(V &Visit, PythonAnswer &A) {
  auto &[Unit, Imports, Types, Aliases, Together, Choices] = A;
  visit(Visit, "unit imports types aliases together choices", Unit, Imports, Types, Aliases,
        Together, Choices);
}

template <typename Visitor, typename T> void visitFields(Visitor &Visit, T &Value) {
  fields(Visit, Value);
}

json::Value textToJson(StringRef Text) {
  // A copy: a StringRef would not own it.
  if (json::isUTF8(Text))
    return Text.str();
  return json::Object{{"hex", toHex(Text)}};
}

bool textFromJson(const json::Value &V, std::string &Text) {
  std::optional<StringRef> S = V.getAsString();
  if (S) {
    Text = S->str();
    return true;
  }
  const json::Object *O = V.getAsObject();
  S = O ? O->getString("hex") : std::nullopt;
  return S && tryGetFromHex(*S, Text);
}

json::Value spanToJson(const Span &S) {
  if (!S.isValid())
    return nullptr;
  return json::Array{S.File, S.Offset, S.Length};
}

bool spanFromJson(const json::Value &V, Span &S) {
  S = Span();
  if (V.getAsNull())
    return true;
  std::vector<uint32_t> Numbers;
  if (!fromJson(V, Numbers) || Numbers.size() != 3)
    return false;
  S = {Numbers[0], Numbers[1], Numbers[2]};
  return true;
}

} // namespace opsig

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static std::string hash(StringRef Text) { return utohexstr(xxh3_64bits(Text), true, 16); }

/// "" for a file that cannot be read.
static std::string hashOfFile(StringRef Path) {
  auto Text = readWholeFile(Path);
  if (Text)
    return hash((*Text)->getBuffer());
  consumeError(Text.takeError());
  return "";
}

FactsStamp opsig::factsStamp(StringRef OpsigVersion, const ParseOptions &Options) {
  std::string All;
  for (const std::string &Scope : Options.Scopes)
    All += Scope + '\0';
  for (const VirtualFile &Header : Options.FallbackHeaders)
    All += '\1' + Header.Name + '\0' + Header.Text + '\0';
  if (Options.Uses)
    All += "\2uses";
  return {OpsigVersion.str(), hash(All), Options.Bodies};
}

/// Of the unit and of its other branches.
static std::vector<std::string *> allFiles(UnitFacts &Unit) {
  std::vector<std::string *> All;
  for (std::string &File : Unit.Files)
    All.push_back(&File);
  for (UnitFacts &Branches : Unit.OtherBranches)
    append_range(All, allFiles(Branches));
  return All;
}

Error opsig::writeFacts(raw_ostream &OS, ArrayRef<UnitFacts> Units, const FactsStamp &Stamp) {
  OS << "{\"opsig-facts\":" << FactsVersion << ",\"opsig\":" << json::Value(Stamp.Opsig)
     << ",\"options\":" << json::Value(Stamp.Options) << ",\"bodies\":" << json::Value(Stamp.Bodies)
     << ",\"units\":[";
  StringRef Separator = "\n";
  for (const UnitFacts &Unit : Units) {
    json::Array Hashes;
    UnitFacts Moved = Unit;
    for (std::string *File : allFiles(Moved)) {
      std::string Hash = hashOfFile(*File);
      if (Hash.empty())
        return createStringError("cannot read '" + *File + "' again");
      Hashes.push_back(Hash);
      if (*File != Unit.MainFile)
        *File = pathBelow(*File, ".");
    }
    json::Value Out = toJson(Moved);
    (*Out.getAsObject())["hashes"] = std::move(Hashes);
    OS << Separator << Out;
    Separator = ",\n";
  }
  OS << "\n]}\n";
  return Error::success();
}

namespace {

/// Every index in \p F is one of something.
bool pointsInside(const FunctionFlow &F, size_t NumFlows) {
  auto IsValue = [&](FlowIndex I) { return I < F.Values.size(); };
  auto IsCall = [&](const FlowCall &C) {
    return (C.Flow == FlowCall::NoFlow || C.Flow < NumFlows) &&
           all_of(C.Args, [&](const FlowArgument &A) { return IsValue(A.Value); });
  };
  return F.Values.size() > F.NumParams &&
         all_of(F.Values,
                [&](const FlowValue &V) {
                  bool Indexed = V.Is != FlowValue::Result || V.Index < F.Calls.size();
                  bool Numbered = V.Is != FlowValue::Parameter || V.Index < F.NumParams;
                  bool Whole = V.Is != FlowValue::Part || !V.From.empty();
                  bool Both = V.Is != FlowValue::OrElse || V.From.size() == 2;
                  return V.Is <= FlowValue::OrElse && Indexed && Numbered && Whole && Both &&
                         all_of(V.From, IsValue);
                }) &&
         all_of(F.Calls, IsCall) && all_of(F.Handed, IsCall) &&
         all_of(F.Writes, [&](const FlowWrite &W) { return IsValue(W.Value); }) &&
         all_of(F.Returns, [&](const FlowReturn &R) { return IsValue(R.Value); }) &&
         all_of(F.Escapes, IsValue);
}

/// What a unit points at is there.
class Bounds {
public:
  explicit Bounds(const UnitFacts &Unit) : Unit(Unit) {}

  template <typename T> void operator()(StringRef, T &Field) { check(Field); }
  bool Good = true;

private:
  void check(Span &S) { Good &= !S.isValid() || S.File < Unit.Files.size(); }
  void check(UnitFacts &Branches) {
    Bounds Own(Branches);
    visitFields(Own, Branches);
    Good &= Own.Good && !Branches.Files.empty();
  }
  template <typename T> void check(std::vector<T> &Items) {
    for (T &Item : Items)
      check(Item);
  }
  template <typename T> void check(std::optional<T> &Item) {
    if (Item)
      check(*Item);
  }
  template <typename T> void check(std::shared_ptr<T> &Item) {
    if (Item)
      check(*Item);
  }
  template <typename T> void check(T &Value) {
    if constexpr (std::is_same_v<T, KernelDecl>)
      Good &= all_of(Value.Redeclarations, [&](uint32_t I) { return I < Unit.Kernels.size(); });
    if constexpr (std::is_same_v<T, CppType>) // of something that is there
      Good &= Value.Is <= CppType::Opaque &&
              (Value.Args.size() == 1 || (!Value.isRef() && Value.Is != CppType::Pointer));
    if constexpr (std::is_same_v<T, PythonReference>)
      Good &= isFunction(Value.Function);
    if constexpr (std::is_same_v<T, PythonClass>)
      Good &= isFunction(Value.Forward) && isFunction(Value.Backward) && isFunction(Value.Setup);
    if constexpr (std::is_same_v<T, FunctionFlow>)
      Good &= pointsInside(Value, Unit.Flows.size());
    if constexpr (std::is_class_v<T> && !std::is_same_v<T, std::string> && !IsBitset<T>::value)
      visitFields(*this, Value);
  }

  /// Of Python; -1 for none.
  bool isFunction(int Index) const {
    return Index >= -1 && (Index == -1 || size_t(Index) < Unit.Python->Functions.size());
  }

  const UnitFacts &Unit;
};

} // namespace

json::Value opsig::unitToJson(const UnitFacts &Unit) {
  UnitFacts Copy = Unit;
  return toJson(Copy);
}

static bool isSound(UnitFacts &Unit) {
  if (Unit.Files.empty())
    return false;
  Bounds Check(Unit);
  visitFields(Check, Unit);
  return Check.Good;
}

bool opsig::unitFromJson(const json::Value &V, UnitFacts &Unit) {
  return fromJson(V, Unit) && isSound(Unit);
}

std::string opsig::unitToBytes(const UnitFacts &Unit) {
  UnitFacts Copy = Unit;
  std::string Out;
  BytesWriter Writer(Out);
  Writer.write(Copy);
  Writer.write(Copy.TorchFolders);
  return Out;
}

bool opsig::unitFromBytes(StringRef Bytes, UnitFacts &Unit) {
  BytesReader Reader(Bytes);
  Reader.read(Unit);
  Reader.read(Unit.TorchFolders);
  return Reader.isWhole() && isSound(Unit);
}

std::string opsig::pythonAnswerToBytes(const PythonAnswer &Answer) {
  PythonAnswer Copy = Answer;
  std::string Out;
  BytesWriter Writer(Out);
  Writer.write(Copy);
  return Out;
}

std::optional<PythonAnswer> opsig::pythonAnswerFromBytes(StringRef Bytes, StringRef File) {
  PythonAnswer Out;
  BytesReader Reader(Bytes);
  Reader.read(Out);
  Out.Unit.MainFile = File.str();
  Out.Unit.Files = {Out.Unit.MainFile};
  if (!Reader.isWhole() || !isSound(Out.Unit))
    return std::nullopt;
  return Out;
}

static Error readUnit(const json::Value &V, UnitFacts &Unit) {
  const json::Object *O = V.getAsObject();
  const json::Value *HashList = O ? O->get("hashes") : nullptr;
  std::vector<std::string> Hashes;
  if (!unitFromJson(V, Unit) || !HashList || !fromJson(*HashList, Hashes))
    return createStringError("its content is damaged; write it again with --facts-out");
  std::vector<std::string *> Files = allFiles(Unit);
  if (Hashes.size() != Files.size())
    return createStringError("its content is damaged; write it again with --facts-out");
  for (auto [File, Hash] : zip(Files, Hashes)) {
    if (*File != Unit.MainFile)
      *File = absolutePath(*File);
    std::string Now = hashOfFile(*File);
    if (Now != Hash)
      return createStringError(
          "it is out of date: '" + *File + "' " +
          (Now.empty() ? "cannot be read" : "has changed since the facts file was written"));
  }
  return Error::success();
}

Expected<std::vector<UnitFacts>> opsig::readFacts(StringRef Text, const FactsStamp &Stamp) {
  Expected<json::Value> Root = parseJson(Text);
  if (!Root)
    return Root.takeError();
  const json::Object *O = Root->getAsObject();
  std::optional<int64_t> Version = O ? O->getInteger("opsig-facts") : std::nullopt;
  const json::Array *List = O ? O->getArray("units") : nullptr;
  if (!Version || !List)
    return createStringError("it is not an opsig facts file");
  if (*Version != FactsVersion || O->getString("opsig") != StringRef(Stamp.Opsig))
    return createStringError("it was written by opsig " + O->getString("opsig").value_or("?") +
                             ", but this is opsig " + Stamp.Opsig +
                             "; write it again with this opsig");
  if (O->getString("options") != StringRef(Stamp.Options))
    return createStringError("it was written with different schemas, backends or checks; write it "
                             "again with the options of this run");
  if (Stamp.Bodies && !O->getBoolean("bodies").value_or(false))
    return createStringError("it was written without the checks that read function bodies; write "
                             "it again with those checks enabled");
  std::vector<UnitFacts> Units(List->size());
  for (size_t I = 0; I < List->size(); ++I)
    if (Error E = readUnit((*List)[I], Units[I]))
      return std::move(E);
  return Units;
}

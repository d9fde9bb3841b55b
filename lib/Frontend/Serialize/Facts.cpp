//===- Facts.cpp - translation units in files -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Serialize/FactsBytes.h"
#include "opsig/Frontend/Facts.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace opsig;
using namespace llvm;

/// Of the format of the file.
static constexpr int64_t FactsVersion = 26;

//===----------------------------------------------------------------------===//
// The fields of each struct. The bindings name all of them, so that none is forgotten: whoever
// adds one to a struct has to add it here, and raises FactsVersion.
//===----------------------------------------------------------------------===//

namespace opsig {

template <typename V> static void fields(V &Visit, CppType &T) {
  auto &[Is, Const, Volatile, Name, Args, At] = T;
  Visit("is", Is);
  Visit("const", Const);
  Visit("volatile", Volatile);
  Visit("name", Name);
  Visit("args", Args);
  Visit("at", At);
}

template <typename V> static void fields(V &Visit, KernelParam &P) {
  auto &[Name, TypeText, Canonical, Whole, Type, NameAt, Default, DefaultValue, Use] = P;
  Visit("name", Name);
  Visit("type-text", TypeText);
  Visit("canonical", Canonical);
  Visit("whole", Whole);
  Visit("type", Type);
  Visit("name-at", NameAt);
  Visit("default", Default);
  Visit("default-value", DefaultValue);
  Visit("use", Use);
}

template <typename V> static void fields(V &Visit, EditBlocker &O) {
  auto &[Is, At] = O;
  Visit("is", Is);
  Visit("at", At);
}

template <typename V> static void fields(V &Visit, VoidReturnPaths &E) {
  auto &[Open, Close, Returns, FallsOff, ReturnsValue] = E;
  Visit("open", Open);
  Visit("close", Close);
  Visit("returns", Returns);
  Visit("falls-off", FallsOff);
  Visit("returns-value", ReturnsValue);
}

template <typename V> static void fields(V &Visit, KernelDecl &K) {
  auto &[Name, Scope, Member, Definition, Internal, InMainFile, Undeclared, Editable, ForeignFile,
         Params, ReturnText, ReturnCanonical, Return, NameAt, ParamList, Head, Surroundings, Short,
         EditBlockers, Ends, Applies, TakesMemory, Redeclarations] = K;
  Visit("name", Name);
  Visit("scope", Scope);
  Visit("member", Member);
  Visit("definition", Definition);
  Visit("internal", Internal);
  Visit("in-main-file", InMainFile);
  Visit("undeclared", Undeclared);
  Visit("editable", Editable);
  Visit("foreign-file", ForeignFile);
  Visit("params", Params);
  Visit("return-text", ReturnText);
  Visit("return-canonical", ReturnCanonical);
  Visit("return", Return);
  Visit("name-at", NameAt);
  Visit("param-list", ParamList);
  Visit("head", Head);
  Visit("surroundings", Surroundings);
  Visit("short", Short);
  Visit("obstacles", EditBlockers);
  Visit("ends", Ends);
  Visit("applies", Applies);
  Visit("takes-memory", TakesMemory);
  Visit("redeclarations", Redeclarations);
}

template <typename V> static void fields(V &Visit, KernelScope &S) {
  auto &[Name, Body, IsClass, PublicAtEnd] = S;
  Visit("name", Name);
  Visit("body", Body);
  Visit("is-class", IsClass);
  Visit("public-at-end", PublicAtEnd);
}

template <typename V> static void fields(V &Visit, LiteralText::Piece &P) {
  auto &[Offset, Length, Source, Shared] = P;
  Visit("offset", Offset);
  Visit("length", Length);
  Visit("source", Source);
  Visit("shared", Shared);
}

template <typename V> static void fields(V &Visit, LiteralText &T) {
  auto &[Value, Pieces, Whole] = T;
  Visit("value", Value);
  Visit("pieces", Pieces);
  Visit("whole", Whole);
}

template <typename V> static void fields(V &Visit, StackValue &S) {
  auto &[Index, Type, TypeText, At, TypeAt, Conditional] = S;
  Visit("index", Index);
  Visit("type", Type);
  Visit("type-text", TypeText);
  Visit("at", At);
  Visit("type-at", TypeAt);
  Visit("conditional", Conditional);
}

template <typename V> static void fields(V &Visit, StackUse &S) {
  auto &[Taken, Given, Whole] = S;
  Visit("taken", Taken);
  Visit("given", Given);
  Visit("whole", Whole);
}

template <typename V> static void fields(V &Visit, RegisteredKernel &K) {
  auto &[Is, Name, Noexcept, Interface, Use, Decl, Others, Editable, Symbol, Stack, Wrapped] = K;
  Visit("is", Is);
  Visit("name", Name);
  Visit("noexcept", Noexcept);
  Visit("interface", Interface);
  Visit("use", Use);
  Visit("decl", Decl);
  Visit("others", Others);
  Visit("editable", Editable);
  Visit("symbol", Symbol);
  Visit("stack", Stack);
  Visit("wrapped", Wrapped);
}

template <typename V> static void fields(V &Visit, RegistrationEntry &E) {
  auto &[Is, Text, TextKnown, Key, KeyUnknown, Conditional, SchemaUnread, InFunction, Kernel, At,
         TextOnly] = E;
  Visit("is", Is);
  Visit("text", Text);
  Visit("text-known", TextKnown);
  Visit("key", Key);
  Visit("key-unknown", KeyUnknown);
  Visit("conditional", Conditional);
  Visit("schema-unread", SchemaUnread);
  Visit("in-function", InFunction);
  Visit("kernel", Kernel);
  Visit("at", At);
  Visit("text-only", TextOnly);
}

template <typename V> static void fields(V &Visit, RegistrationBlock &B) {
  auto &[Is, Namespace, NamespaceMacro, Pasted, Key, Stable, At, Body, Variable, Entries, Complete,
         HandedTo, Filler] = B;
  Visit("is", Is);
  Visit("namespace", Namespace);
  Visit("namespace-macro", NamespaceMacro);
  Visit("pasted", Pasted);
  Visit("key", Key);
  Visit("stable", Stable);
  Visit("at", At);
  Visit("body", Body);
  Visit("variable", Variable);
  Visit("entries", Entries);
  Visit("complete", Complete);
  Visit("handed-to", HandedTo);
  Visit("filler", Filler);
}

template <typename V> static void fields(V &Visit, ClassMember &M) {
  auto &[Is, Name, Kernel] = M;
  Visit("is", Is);
  Visit("name", Name);
  Visit("kernel", Kernel);
}

template <typename V> static void fields(V &Visit, RegisteredClass &C) {
  auto &[Namespace, Name, Type, At, Conditional, Members] = C;
  Visit("namespace", Namespace);
  Visit("name", Name);
  Visit("type", Type);
  Visit("at", At);
  Visit("conditional", Conditional);
  Visit("members", Members);
}

template <typename V> static void fields(V &Visit, CustomClasses &C) {
  auto &[Registered, Used, MayHaveMore] = C;
  Visit("registered", Registered);
  Visit("used", Used);
  Visit("may-have-more", MayHaveMore);
}

/// Bases and templates by their place in the tables: a stamp is good for one opsig.
template <typename V> static void fields(V &Visit, TypeNames &N) {
  auto &[Bases, Templates, TakesDeviceIndex, SymIntsByValue, Strings] = N;
  auto &[TypeVariables, Awaits, ScalarTypes, DeviceTypes] = Strings;
  Visit("takes-device-index", TakesDeviceIndex);
  Visit("symints-by-value", SymIntsByValue);
  Visit("type-variables", TypeVariables);
  Visit("awaits", Awaits);
  Visit("scalar-types", ScalarTypes);
  Visit("device-types", DeviceTypes);
  auto VisitArray = [&](StringLiteral Name, auto &Array) {
    std::vector Items(Array.begin(), Array.end());
    Visit(Name, Items);
    std::move(Items.begin(), Items.begin() + std::min(Items.size(), Array.size()), Array.begin());
  };
  VisitArray("bases", Bases);
  VisitArray("templates", Templates);
}

template <typename V> static void fields(V &Visit, FlowValue &F) {
  auto &[Is, Index, From] = F;
  Visit("is", Is);
  Visit("index", Index);
  Visit("from", From);
}

template <typename V> static void fields(V &Visit, FlowArgument &A) {
  auto &[Param, Position, Value, Writable] = A;
  Visit("param", Param);
  Visit("position", Position);
  Visit("value", Value);
  Visit("writable", Writable);
}

template <typename V> static void fields(V &Visit, FlowCall &C) {
  auto &[Callee, TensorParams, ParamTypes, Args, Flow, Symbol, At] = C;
  Visit("callee", Callee);
  Visit("tensor-params", TensorParams);
  Visit("param-types", ParamTypes);
  Visit("args", Args);
  Visit("flow", Flow);
  Visit("symbol", Symbol);
  Visit("at", At);
}

template <typename V> static void fields(V &Visit, FlowWrite &W) {
  auto &[Value, At] = W;
  Visit("value", Value);
  Visit("at", At);
}

template <typename V> static void fields(V &Visit, FlowReturn &R) {
  auto &[Value, At] = R;
  Visit("value", Value);
  Visit("at", At);
}

template <typename V> static void fields(V &Visit, FlowNumber &N) {
  auto &[Param, Is, At] = N;
  Visit("param", Param);
  Visit("is", Is);
  Visit("at", At);
}

template <typename V> static void fields(V &Visit, FunctionFlow &F) {
  auto &[Name, Symbol, NameAt, NumParams, Values, Calls, Writes, Returns, Escapes, Handed, Numbers,
         Complete, Finishes] = F;
  Visit("name", Name);
  Visit("symbol", Symbol);
  Visit("name-at", NameAt);
  Visit("num-params", NumParams);
  Visit("values", Values);
  Visit("calls", Calls);
  Visit("writes", Writes);
  Visit("returns", Returns);
  Visit("escapes", Escapes);
  Visit("handed", Handed);
  Visit("numbers", Numbers);
  Visit("complete", Complete);
  Visit("finishes", Finishes);
}

template <typename V> static void fields(V &Visit, TypedHandle &T) {
  auto &[Signature, Calls] = T;
  Visit("signature", Signature);
  Visit("calls", Calls);
}

template <typename V> static void fields(V &Visit, OperatorLookup &L) {
  auto &[Function, Name, Overload, Optional, At, Typed] = L;
  Visit("function", Function);
  Visit("name", Name);
  Visit("overload", Overload);
  Visit("optional", Optional);
  Visit("at", At);
  Visit("typed", Typed);
}

template <typename V> static void fields(V &Visit, GradientReturn &R) {
  auto &[Count, LastDefined, At] = R;
  Visit("count", Count);
  Visit("last-defined", LastDefined);
  Visit("at", At);
}

template <typename V> static void fields(V &Visit, AutogradFunction &F) {
  auto &[Name, NumArgs, FewestArgs, ForwardAt, Returns] = F;
  Visit("name", Name);
  Visit("num-args", NumArgs);
  Visit("fewest-args", FewestArgs);
  Visit("forward-at", ForwardAt);
  Visit("returns", Returns);
}

template <typename V> static void fields(V &Visit, RegistrationReach &R) {
  auto &[Anywhere, Namespaces] = R;
  Visit("anywhere", Anywhere);
  Visit("namespaces", Namespaces);
}

template <typename V> static void fields(V &Visit, TemplateDefinition &T) {
  auto &[Name, NameAt, Used] = T;
  Visit("name", Name);
  Visit("name-at", NameAt);
  Visit("used", Used);
}

template <typename V> static void fields(V &Visit, ApiArgument &A) {
  auto &[At, Type, IsConst, IsLvalue] = A;
  Visit("at", At);
  Visit("type", Type);
  Visit("const", IsConst);
  Visit("lvalue", IsLvalue);
}

template <typename V> static void fields(V &Visit, ApiOptions &O) {
  auto &[Known, Like, Dtype, Layout, Device, PinMemory, RequiresGrad, Variables] = O;
  Visit("known", Known);
  Visit("like", Like);
  Visit("dtype", Dtype);
  Visit("layout", Layout);
  Visit("device", Device);
  Visit("pin-memory", PinMemory);
  Visit("requires-grad", RequiresGrad);
  Visit("variables", Variables);
}

template <typename V> static void fields(V &Visit, ApiUse &U) {
  auto &[Is, Name, Header, At, NameAt, TemplateArgs, TemplateText, Object, ObjectType, Arrow,
         ObjectConst, ObjectLvalue, ArgList, Args, Params, Options, OnlyRead, InMacro, Count] = U;
  Visit("is", Is);
  Visit("name", Name);
  Visit("header", Header);
  Visit("at", At);
  Visit("name-at", NameAt);
  Visit("template-args", TemplateArgs);
  Visit("template-text", TemplateText);
  Visit("object", Object);
  Visit("object-type", ObjectType);
  Visit("arrow", Arrow);
  Visit("object-const", ObjectConst);
  Visit("object-lvalue", ObjectLvalue);
  Visit("arg-list", ArgList);
  Visit("args", Args);
  Visit("params", Params);
  Visit("options", Options);
  Visit("only-read", OnlyRead);
  Visit("in-macro", InMacro);
  Visit("count", Count);
}

template <typename V> static void fields(V &Visit, BoundArgument &A) {
  auto &[Name, HasDefault, Default] = A;
  Visit("name", Name);
  Visit("has-default", HasDefault);
  Visit("default", Default);
}

template <typename V> static void fields(V &Visit, BoundFunction &F) {
  auto &[Name, Doc, Kernel, Args, Other, At] = F;
  Visit("name", Name);
  Visit("doc", Doc);
  Visit("kernel", Kernel);
  Visit("args", Args);
  Visit("other", Other);
  Visit("at", At);
}

template <typename V> static void fields(V &Visit, PythonModule &M) {
  auto &[At, Body, Variable, Functions, Other] = M;
  Visit("at", At);
  Visit("body", Body);
  Visit("variable", Variable);
  Visit("functions", Functions);
  Visit("other", Other);
}

template <typename V> static void fields(V &Visit, PythonUse &U) {
  auto &[Decl, Releases, Other] = U;
  Visit("decl", Decl);
  Visit("releases", Releases);
  Visit("other", Other);
}

template <typename V> static void fields(V &Visit, SkippedDefinition &D) {
  auto &[Name, At] = D;
  Visit("name", Name);
  Visit("at", At);
}

template <typename V> static void fields(V &Visit, SkippedBranch &B) {
  auto &[Lines, Directive, OfOther] = B;
  Visit("lines", Lines);
  Visit("directive", Directive);
  Visit("of-other", OfOther);
}

template <typename V> static void fields(V &Visit, UnitFacts &U) {
  auto &[MainFile, Files, Kernels, Definitions, Scopes, Registrations, Classes, Flows, Lookups,
         Functions, Unused, Symbols, Templates, Names, Parsed, MissingHeaders, NumErrors, Garbled,
         FirstError, Mentioned, Reach, TorchFolders, Uses, Modules, PythonUses, SkippedDefinitions,
         OtherBranches, Branches, BranchFlags, RaisedStandard, Python] = U;
  Visit("main-file", MainFile);
  Visit("files", Files);
  Visit("kernels", Kernels);
  Visit("definitions", Definitions);
  Visit("scopes", Scopes);
  Visit("registrations", Registrations);
  Visit("classes", Classes);
  Visit("flows", Flows);
  Visit("lookups", Lookups);
  Visit("functions", Functions);
  Visit("uses", Uses);
  Visit("modules", Modules);
  Visit("python-uses", PythonUses);
  Visit("unused", Unused);
  Visit("symbols", Symbols);
  Visit("templates", Templates);
  Visit("names", Names);
  Visit("parsed", Parsed);
  Visit("missing-headers", MissingHeaders);
  Visit("errors", NumErrors);
  Visit("garbled", Garbled);
  Visit("first-error", FirstError);
  Visit("mentioned", Mentioned);
  Visit("reach", Reach);
  Visit("skipped-definitions", SkippedDefinitions);
  Visit("other-branches", OtherBranches);
  Visit("branches", Branches);
  Visit("branch-flags", BranchFlags);
  Visit("raised-standard", RaisedStandard);
  Visit("python", Python);
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

  template <typename T> void operator()(StringLiteral, T &Field) { check(Field); }
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
  template <typename T> void check(T &Value) {
    if constexpr (std::is_same_v<T, KernelDecl>)
      Good &= all_of(Value.Redeclarations, [&](uint32_t I) { return I < Unit.Kernels.size(); });
    if constexpr (std::is_same_v<T, CppType>) // of something that is there
      Good &= Value.Is <= CppType::Opaque &&
              (Value.Args.size() == 1 || (!Value.isRef() && Value.Is != CppType::Pointer));
    if constexpr (std::is_same_v<T, FunctionFlow>)
      Good &= pointsInside(Value, Unit.Flows.size());
    if constexpr (std::is_class_v<T> && !std::is_same_v<T, std::string> && !IsBitset<T>::value)
      visitFields(*this, Value);
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

static Error readUnit(const json::Value &V, UnitFacts &Unit) {
  const json::Object *O = V.getAsObject();
  const json::Value *HashList = O ? O->get("hashes") : nullptr;
  std::vector<std::string> Hashes;
  if (!unitFromJson(V, Unit) || !HashList || !fromJson(*HashList, Hashes))
    return createStringError("its content is damaged; write it again");
  std::vector<std::string *> Files = allFiles(Unit);
  if (Hashes.size() != Files.size())
    return createStringError("its content is damaged; write it again");
  for (auto [File, Hash] : zip(Files, Hashes)) {
    if (*File != Unit.MainFile)
      *File = absolutePath(*File);
    std::string Now = hashOfFile(*File);
    if (Now != Hash)
      return createStringError(
          "it is stale: '" + *File + "' " +
          (Now.empty() ? "cannot be read" : "has changed since it was written"));
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

//===- PythonFacts.cpp - facts of Python files out of JSON --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Python/PythonBodiesInternal.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"

using namespace opsig;
using namespace llvm;

namespace {

/// What is not there, or is something else, stays as it is by default.
std::string text(const json::Object &O, StringRef Key) {
  return O.getString(Key).value_or("").str();
}

bool flag(const json::Object &O, StringRef Key) { return O.getBoolean(Key).value_or(false); }

uint32_t number(const json::Object &O, StringRef Key) {
  int64_t Value = O.getInteger(Key).value_or(0);
  return Value < 0 || Value > UINT32_MAX ? 0 : uint32_t(Value);
}

Span span(const json::Value *V) {
  const json::Array *Pair = V ? V->getAsArray() : nullptr;
  if (!Pair || Pair->size() != 2)
    return {};
  int64_t Offset = (*Pair)[0].getAsInteger().value_or(-1);
  int64_t Length = (*Pair)[1].getAsInteger().value_or(-1);
  if (Offset < 0 || Length < 0 || Offset > UINT32_MAX || Length > UINT32_MAX)
    return {};
  return {0, uint32_t(Offset), uint32_t(Length)};
}

Span span(const json::Object &O, StringRef Key) { return span(O.get(Key)); }

/// Calls \p Read for each object of a list.
template <typename T, typename Reader>
std::vector<T> list(const json::Object &O, StringRef Key, Reader Read) {
  std::vector<T> Out;
  if (const json::Array *Items = O.getArray(Key))
    for (const json::Value &Item : *Items)
      if (const json::Object *Of = Item.getAsObject())
        Out.push_back(Read(*Of));
  return Out;
}

PythonText literal(const json::Object &O) {
  PythonText Out;
  Out.IsKnown = true;
  Out.Value = text(O, "value");
  Out.Whole = span(O, "whole");
  const json::Array *Pieces = O.getArray("pieces");
  const json::Array *First = Pieces && Pieces->size() == 1 ? (*Pieces)[0].getAsArray() : nullptr;
  if (First && First->size() == 2 && (*First)[0].getAsInteger() == 0) {
    Span Exact = span(&(*First)[1]);
    if (Exact.Length == Out.Value.size())
      Out.Exact = Exact;
  }
  return Out;
}

PythonText literal(const json::Object &O, StringRef Key) {
  const json::Object *Of = O.getObject(Key);
  return Of ? literal(*Of) : PythonText();
}

std::optional<PythonType> type(const json::Object &O, StringRef Key) {
  const json::Object *Of = O.getObject(Key);
  if (!Of)
    return std::nullopt;
  PythonType Out;
  Out.At = span(*Of, "at");
  Out.Text = text(*Of, "text");
  Out.Word = text(*Of, "word");
  Out.Refused = flag(*Of, "refused");
  Out.Instead = text(*Of, "instead");
  Out.InsteadNeedsBuiltinLists = flag(*Of, "instead_lists");
  Out.Plain = text(*Of, "plain");
  Out.Imported = text(*Of, "imported");
  if (const json::Array *Needs = Of->getArray("needs"))
    for (const json::Value &Need : *Needs) {
      StringRef Word = Need.getAsString().value_or("");
      Out.NeedsBuiltinLists |= Word == "builtin-list";
      Out.NeedsModuleNames |= Word == "module-names";
      Out.NeedsImpliedNames |= Word == "implied-names";
      Out.NeedsQuotes |= Word == "quotes";
      Out.NeedsGenerators |= Word == "generators";
    }
  return Out;
}

PythonParameter parameter(const json::Object &O) {
  PythonParameter Out;
  Out.Is = StringSwitch<PythonParameter::Kind>(text(O, "kind"))
               .Case("positional", PythonParameter::Positional)
               .Case("star", PythonParameter::Star)
               .Case("keyword", PythonParameter::Keyword)
               .Case("stars", PythonParameter::Stars)
               .Default(PythonParameter::Normal);
  Out.Name = text(O, "name");
  Out.Whole = span(O, "whole");
  Out.NameAt = span(O, "name_at");
  Out.Type = type(O, "type");
  if (const json::Object *Default = O.getObject("default")) {
    Out.HasDefault = true;
    Out.DefaultAt = span(*Default, "at");
    Out.DefaultText = text(*Default, "text");
    Out.DefaultIsConstant = flag(*Default, "constant");
    Out.DefaultRefused = flag(*Default, "refused");
    if (std::optional<StringRef> Value = Default->getString("value"))
      Out.Default = Value->str();
  }
  return Out;
}

PythonReturn::Form form(const json::Object &O) {
  return StringSwitch<PythonReturn::Form>(text(O, "form"))
      .Case("none", PythonReturn::None)
      .Case("tuple", PythonReturn::Tuple)
      .Case("list", PythonReturn::List)
      .Case("value", PythonReturn::Value)
      .Case("call", PythonReturn::Call)
      .Case("tensor", PythonReturn::Tensor)
      .Case("sequence", PythonReturn::Sequence)
      .Default(PythonReturn::Unknown);
}

PythonReturn result(const json::Object &O) {
  PythonReturn Out;
  Out.Is = form(O);
  const json::Array *Pair = O.getArray("pair");
  const json::Object *First = Pair && Pair->size() == 2 ? (*Pair)[0].getAsObject() : nullptr;
  const json::Object *Second = First ? (*Pair)[1].getAsObject() : nullptr;
  if (Second) {
    Out.FirstIs = form(*First);
    Out.FirstCount = number(*First, "count");
    Out.SecondIs = form(*Second);
    Out.SecondCount = number(*Second, "count");
  }
  Out.At = span(O, "at");
  if (const json::Array *Tensors = O.getArray("tensors"))
    for (const json::Value &Name : *Tensors)
      Out.Tensors.push_back(Name.getAsString().value_or("").str());
  Out.Count = number(O, "count");
  Out.Defined = number(O, "defined");
  Out.Callee = text(O, "callee");
  Out.ValueAt = span(O, "value_at");
  if (const json::Array *Elements = O.getArray("elements"))
    for (const json::Value &V : *Elements)
      if (const json::Array *Pair = V.getAsArray(); Pair && Pair->size() == 3)
        Out.Elements.push_back(
            {span(&(*Pair)[0]), (*Pair)[1].getAsBoolean().value_or(false), span(&(*Pair)[2])});
  Out.Ends = span(O, "ends");
  if (Out.Elements.size() != Out.Count)
    Out.Elements.clear();
  return Out;
}

PythonUnpack unpack(const json::Object &O) {
  auto Is = StringSwitch<PythonUnpack::Kind>(text(O, "kind"))
                .Case("least", PythonUnpack::AtLeast)
                .Case("element", PythonUnpack::Element)
                .Case("key", PythonUnpack::Key)
                .Default(PythonUnpack::Exactly);
  return {Is, text(O, "parameter"), number(O, "count"), text(O, "word"), span(O, "at")};
}

PythonCallable function(const json::Object &O) {
  PythonCallable Out;
  Out.Name = text(O, "name");
  Out.Qualified = text(O, "qualified");
  Out.Form = text(O, "form");
  Out.At = span(O, "at");
  Out.NameAt = span(O, "name_at");
  Out.List = span(O, "list");
  Out.Slash = span(O, "slash");
  Out.Gives = text(O, "gives");
  Out.Parameters = list<PythonParameter>(O, "parameters", parameter);
  Out.Returns = type(O, "returns");
  Out.Results = list<PythonReturn>(O, "results", result);
  Out.FallsOff = flag(O, "falls_off");
  Out.Unpacks = list<PythonUnpack>(O, "unpacks", unpack);
  Out.Alters = text(O, "alters");
  return Out;
}

PythonReference reference(const json::Object &O, StringRef Key, size_t Count) {
  PythonReference Out;
  const json::Object *Of = O.getObject(Key);
  if (!Of)
    return Out;
  Out.IsGiven = true;
  Out.At = span(*Of, "at");
  int64_t Number = Of->getInteger("function").value_or(-1);
  Out.Function = Number < 0 || size_t(Number) >= Count ? -1 : int(Number);
  Out.Import = text(*Of, "import");
  Out.Skip = number(*Of, "skip");
  if (const json::Array *Keywords = Of->getArray("keywords"))
    for (const json::Value &Word : *Keywords)
      Out.Keywords.push_back(Word.getAsString().value_or("").str());
  Out.Why = text(*Of, "why");
  return Out;
}

PythonMutates mutates(const json::Object &O) {
  PythonMutates Out;
  const json::Object *Of = O.getObject("mutates");
  if (!Of)
    return Out;
  Out.IsGiven = true;
  Out.At = span(*Of, "at");
  Out.Unknown = flag(*Of, "unknown");
  Out.Names = list<PythonText>(*Of, "names", [](const json::Object &T) { return literal(T); });
  if (Of->getObject("word"))
    Out.Word = literal(*Of, "word");
  return Out;
}

LibraryUse use(const json::Object &O, size_t Count) {
  LibraryUse Out;
  Out.What = text(O, "what");
  Out.Api = text(O, "api");
  Out.At = span(O, "at");
  Out.Op = literal(O, "op");
  Out.Function = reference(O, "function", Count);
  Out.Setup = reference(O, "setup", Count);
  Out.Keys = list<PythonText>(O, "keys", [](const json::Object &T) { return literal(T); });
  Out.Devices = flag(O, "devices");
  Out.HasSchema = flag(O, "has_schema");
  Out.KeySet = flag(O, "keyset");
  Out.Conditional = flag(O, "conditional");
  Out.InFunction = flag(O, "in_function");
  Out.Tagged = flag(O, "tagged");
  Out.LacksMutates = flag(O, "lacks_mutates");
  Out.Refused = text(O, "refused");
  Out.NeverReplaces = flag(O, "keeps");
  Out.BlockKey = text(O, "block_key");
  Out.Mutates = mutates(O);
  Out.Schema = literal(O, "schema");
  Out.Unnamed = text(O, "unnamed");
  Out.Expression = text(O, "expression");
  Out.Extension = text(O, "extension");
  Out.Signature = literal(O, "signature");
  Out.Guards = list<PythonGuard>(O, "guards", [](const json::Object &G) {
    return PythonGuard{text(G, "op"), flag(G, "exists")};
  });
  return Out;
}

int number(const json::Object &O, StringRef Key, size_t Count) {
  int64_t Value = O.getInteger(Key).value_or(-1);
  return Value < 0 || size_t(Value) >= Count ? -1 : int(Value);
}

PythonShape shape(const json::Object &O) {
  PythonShape Out;
  Out.Is = StringSwitch<PythonShape::Kind>(text(O, "kind"))
               .Case("value", PythonShape::Value)
               .Case("branch", PythonShape::Branch)
               .Case("size", PythonShape::Size)
               .Default(PythonShape::Number);
  Out.Function = number(O, "function");
  Out.Param = number(O, "parameter");
  Out.At = span(O, "at");
  Out.What = text(O, "what");
  if (std::optional<StringRef> Text = O.getString("instead"))
    Out.Instead = Text->str();
  return Out;
}

} // namespace

PythonFacts opsig::pythonFacts(const json::Object &O) {
  PythonFacts Out;
  Out.Functions = list<PythonCallable>(O, "functions", function);
  size_t Count = Out.Functions.size();
  Out.Uses = list<LibraryUse>(O, "uses", [&](const json::Object &U) { return use(U, Count); });
  Out.Libraries = list<PythonLibrary>(O, "libraries", [](const json::Object &L) {
    return PythonLibrary{span(L, "at"), literal(L, "namespace"), literal(L, "kind"),
                         literal(L, "key"), text(L, "lost")};
  });
  Out.Apis = list<PythonApi>(O, "apis", [](const json::Object &A) {
    return PythonApi{text(A, "name"), span(A, "at"), flag(A, "guarded")};
  });
  Out.Classes = list<PythonClass>(O, "classes", [&](const json::Object &C) {
    return PythonClass{text(C, "name"), span(C, "at"), number(C, "forward", Count),
                       number(C, "backward", Count), number(C, "setup", Count)};
  });
  Out.Shapes = list<PythonShape>(O, "shapes", shape);
  Out.IsScript = flag(O, "script");
  if (const json::Array *Backends = O.getArray("backends"))
    for (const json::Value &Name : *Backends)
      Out.Backends.push_back(Name.getAsString().value_or("").str());
  if (const json::Object *Offers = O.getObject("offers"))
    for (const auto &[Name, Offer] : *Offers)
      Out.Offers.push_back({StringRef(Name).str(), reference(*Offers, Name, Count)});
  sort(Out.Offers, [](const PythonOffer &A, const PythonOffer &B) { return A.Name < B.Name; });
  return Out;
}

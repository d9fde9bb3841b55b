//===- PythonRegistrations.cpp - What Python files register -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Python/PythonBodiesInternal.h"
#include "opsig/Frontend/PythonRegistrations.h"
#include "opsig/Support/JsonTree.h"

#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace llvm;

namespace {

/// Reads one file's object; every part is as the script writes it.
class FileReader {
public:
  explicit FileReader(const JsonObject &O) : O(O) {}

  Expected<PythonAnswer> read(StringRef File, const JsonObject *Facts);

private:
  const JsonObject &object(const JsonValue &V);
  const JsonObject &object(const JsonObject &Of, StringRef Key);
  std::string text(const JsonObject &Of, StringRef Key);
  bool flag(const JsonObject &Of, StringRef Key);
  uint32_t number(const JsonValue &V);
  Span span(const JsonObject &Of, StringRef Key);
  const JsonArray &list(const JsonObject &Of, StringRef Key);
  LiteralText literal(const JsonObject &Text);
  RegistrationEntry entry(const JsonObject &E);
  RegistrationBlock block(const JsonObject &B);

  const JsonObject &O;
  bool IsWrong = false;
  const JsonObject NoObject;
  const JsonArray NoArray;
};

const JsonObject &FileReader::object(const JsonValue &V) {
  const JsonObject *Out = V.getAsObject();
  IsWrong |= !Out;
  return Out ? *Out : NoObject;
}

const JsonObject &FileReader::object(const JsonObject &Of, StringRef Key) {
  const JsonObject *Out = Of.getObject(Key);
  IsWrong |= !Out;
  return Out ? *Out : NoObject;
}

std::string FileReader::text(const JsonObject &Of, StringRef Key) {
  std::optional<StringRef> Out = Of.getString(Key);
  IsWrong |= !Out;
  return Out ? Out->str() : "";
}

bool FileReader::flag(const JsonObject &Of, StringRef Key) {
  std::optional<bool> Out = Of.getBoolean(Key);
  IsWrong |= !Out;
  return Out && *Out;
}

uint32_t FileReader::number(const JsonValue &V) {
  std::optional<int64_t> Out = V.getAsInteger();
  IsWrong |= !Out || *Out < 0 || *Out > UINT32_MAX;
  return IsWrong ? 0 : uint32_t(*Out);
}

/// Of \p List; "" for what is none.
static std::vector<std::string> strings(const JsonArray &List) {
  std::vector<std::string> Out;
  for (const JsonValue &V : List)
    Out.push_back(V.getAsString().value_or("").str());
  return Out;
}

static std::vector<std::vector<PythonAnswer::ModuleNames>> moduleLists(const JsonArray &Lists) {
  std::vector<std::vector<PythonAnswer::ModuleNames>> Out;
  for (const JsonValue &List : Lists) {
    Out.emplace_back();
    if (const JsonArray *Names = List.getAsArray())
      for (const JsonValue &V : *Names)
        Out.back().push_back(V.getAsArray() ? strings(*V.getAsArray())
                                            : PythonAnswer::ModuleNames());
  }
  return Out;
}

const JsonArray &FileReader::list(const JsonObject &Of, StringRef Key) {
  const JsonArray *Out = Of.getArray(Key);
  IsWrong |= !Out;
  return Out ? *Out : NoArray;
}

Span FileReader::span(const JsonObject &Of, StringRef Key) {
  const JsonArray &Pair = list(Of, Key);
  IsWrong |= Pair.size() != 2;
  return IsWrong ? Span() : Span{0, number(Pair[0]), number(Pair[1])};
}

LiteralText FileReader::literal(const JsonObject &Text) {
  LiteralText Out;
  Out.Value = text(Text, "value");
  Out.Whole = span(Text, "whole");
  for (const JsonValue &V : list(Text, "pieces")) {
    const JsonArray *Piece = V.getAsArray();
    IsWrong |= !Piece || Piece->size() != 3;
    if (IsWrong)
      break;
    uint32_t Length = number((*Piece)[1]);
    Out.Pieces.push_back({number((*Piece)[0]), Length, {0, number((*Piece)[2]), Length}});
  }
  return Out;
}

RegistrationEntry FileReader::entry(const JsonObject &E) {
  RegistrationEntry Out;
  Out.Is = StringSwitch<RegistrationEntry::Kind>(text(E, "kind"))
               .Case("impl", RegistrationEntry::Impl)
               .Case("fallback", RegistrationEntry::Fallback)
               .Default(RegistrationEntry::Def);
  Out.Text = literal(object(E, "text"));
  Out.TextKnown = flag(E, "known");
  Out.Key = text(E, "key");
  Out.KeyUnknown = flag(E, "key_unknown");
  Out.Conditional = flag(E, "conditional");
  Out.SchemaUnread = flag(E, "schema_unread");
  Out.InFunction = flag(E, "in_function");
  Out.Kernel.Is = StringSwitch<RegisteredKernel::Form>(text(E, "kernel"))
                      .Case("boxed", RegisteredKernel::Boxed)
                      .Default(RegisteredKernel::None);
  Out.Kernel.Name = text(E, "name");
  Out.Kernel.Use = span(E, "use");
  Out.At = span(E, "at");
  if (const JsonArray *Tags = E.getArray("tags"))
    Out.Tags = strings(*Tags);
  return Out;
}

RegistrationBlock FileReader::block(const JsonObject &B) {
  RegistrationBlock Out;
  Out.Is = StringSwitch<RegistrationBlock::Kind>(text(B, "kind"))
               .Case("library", RegistrationBlock::Library)
               .Case("impl", RegistrationBlock::Impl)
               .Default(RegistrationBlock::Fragment);
  Out.Namespace = text(B, "namespace");
  if (Out.Namespace.empty()) // the name of its operator is not known
    Out.Is = RegistrationBlock::Unknown;
  Out.Key = text(B, "key");
  Out.Complete = flag(B, "complete");
  Out.At = span(B, "at");
  for (const JsonValue &E : list(B, "entries"))
    Out.Entries.push_back(entry(object(E)));
  return Out;
}

Expected<PythonAnswer> FileReader::read(StringRef File, const JsonObject *Facts) {
  PythonAnswer Out{unreadPython(File, text(O, "error")), {}, {}, {}, {}, {}};
  UnitFacts &Unit = Out.Unit;
  for (const JsonValue &B : list(O, "blocks"))
    Unit.Registrations.push_back(block(object(B)));
  for (auto [Key, To] : {std::pair("imports", &Out.Imports), std::pair("types", &Out.Types),
                         std::pair("aliases", &Out.Aliases)})
    *To = strings(list(O, Key));
  Out.Together = moduleLists(list(O, "together"));
  Out.Choices = moduleLists(list(O, "choices"));
  std::optional<std::vector<FunctionFlow>> Flows = pythonFlows(O);
  IsWrong |= !Flows;
  if (Flows)
    Unit.Flows = std::move(*Flows);
  if (Facts)
    Unit.Python = std::make_shared<PythonFacts>(pythonFacts(*Facts));
  if (IsWrong)
    return createStringError("torch_library.py and opsig have different versions");
  return std::move(Out);
}

} // namespace

UnitFacts opsig::unreadPython(StringRef File, std::string Why) {
  UnitFacts Unit;
  Unit.MainFile = File.str();
  Unit.Files = {Unit.MainFile};
  Unit.Parsed = true;
  Unit.NumErrors = Why.empty() ? 0 : 1;
  Unit.Reach.Anywhere = !Why.empty();
  Unit.FirstError = std::move(Why);
  return Unit;
}

std::vector<StringRef> opsig::pythonAnswers(StringRef Output) {
  std::vector<StringRef> Out;
  auto EndOfLine = [&](size_t From) { return Output.find('\n', From); };
  for (size_t Begin = 0, Middle, End; (Middle = EndOfLine(Begin)) != StringRef::npos &&
                                      (End = EndOfLine(Middle + 1)) != StringRef::npos;
       Begin = End + 1)
    Out.push_back(Output.slice(Begin, End));
  return Out;
}

Expected<PythonAnswer> opsig::readPythonAnswer(StringRef Answer, StringRef File) {
  // As values it takes up to twenty times that much memory.
  constexpr size_t MostOfFile = 16 << 20;
  if (Answer.size() > MostOfFile)
    return PythonAnswer{unreadPython(File, "it has too many registrations"), {}, {}, {}, {}, {}};
  auto [Registrations, Facts] = Answer.split('\n');
  Expected<JsonTree> Read = JsonTree::parse(Registrations);
  if (!Read)
    return Read.takeError();
  Expected<JsonTree> ReadFacts = JsonTree::parse(Facts);
  if (!ReadFacts)
    return ReadFacts.takeError();
  const JsonObject *O = Read->root().getAsObject(), *Of = ReadFacts->root().getAsObject();
  if (!O || (!Of && !ReadFacts->root().isNull()))
    return createStringError("expected two lines per file");
  return FileReader(*O).read(File, Of);
}

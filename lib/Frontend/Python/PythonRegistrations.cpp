//===- PythonRegistrations.cpp - What Python files register -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Python/PythonBodiesInternal.h"
#include "opsig/Frontend/PythonRegistrations.h"
#include "opsig/Support/JsonText.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"

using namespace opsig;
using namespace llvm;

namespace {

/// Reads one file's object; every part is as the script writes it.
class FileReader {
public:
  explicit FileReader(const json::Object &O) : O(O) {}

  Expected<PythonAnswer> read(StringRef File, const json::Object *Facts);

private:
  const json::Object &object(const json::Value &V);
  const json::Object &object(const json::Object &Of, StringRef Key);
  std::string text(const json::Object &Of, StringRef Key);
  bool flag(const json::Object &Of, StringRef Key);
  uint32_t number(const json::Value &V);
  Span span(const json::Object &Of, StringRef Key);
  const json::Array &list(const json::Object &Of, StringRef Key);
  LiteralText literal(const json::Object &Text);
  RegistrationEntry entry(const json::Object &E);
  RegistrationBlock block(const json::Object &B);

  const json::Object &O;
  bool IsWrong = false;
  const json::Object NoObject;
  const json::Array NoArray;
};

const json::Object &FileReader::object(const json::Value &V) {
  const json::Object *Out = V.getAsObject();
  IsWrong |= !Out;
  return Out ? *Out : NoObject;
}

const json::Object &FileReader::object(const json::Object &Of, StringRef Key) {
  const json::Object *Out = Of.getObject(Key);
  IsWrong |= !Out;
  return Out ? *Out : NoObject;
}

std::string FileReader::text(const json::Object &Of, StringRef Key) {
  std::optional<StringRef> Out = Of.getString(Key);
  IsWrong |= !Out;
  return Out ? Out->str() : "";
}

bool FileReader::flag(const json::Object &Of, StringRef Key) {
  std::optional<bool> Out = Of.getBoolean(Key);
  IsWrong |= !Out;
  return Out && *Out;
}

uint32_t FileReader::number(const json::Value &V) {
  std::optional<int64_t> Out = V.getAsInteger();
  IsWrong |= !Out || *Out < 0 || *Out > UINT32_MAX;
  return IsWrong ? 0 : uint32_t(*Out);
}

/// Of \p List; "" for what is none.
static std::vector<std::string> strings(const json::Array &List) {
  std::vector<std::string> Out;
  for (const json::Value &V : List)
    Out.push_back(V.getAsString().value_or("").str());
  return Out;
}

static std::vector<std::vector<PythonAnswer::ModuleNames>> moduleLists(const json::Array &Lists) {
  std::vector<std::vector<PythonAnswer::ModuleNames>> Out;
  for (const json::Value &List : Lists) {
    Out.emplace_back();
    if (const json::Array *Names = List.getAsArray())
      for (const json::Value &V : *Names)
        Out.back().push_back(V.getAsArray() ? strings(*V.getAsArray())
                                            : PythonAnswer::ModuleNames());
  }
  return Out;
}

const json::Array &FileReader::list(const json::Object &Of, StringRef Key) {
  const json::Array *Out = Of.getArray(Key);
  IsWrong |= !Out;
  return Out ? *Out : NoArray;
}

Span FileReader::span(const json::Object &Of, StringRef Key) {
  const json::Array &Pair = list(Of, Key);
  IsWrong |= Pair.size() != 2;
  return IsWrong ? Span() : Span{0, number(Pair[0]), number(Pair[1])};
}

LiteralText FileReader::literal(const json::Object &Text) {
  LiteralText Out;
  Out.Value = text(Text, "value");
  Out.Whole = span(Text, "whole");
  for (const json::Value &V : list(Text, "pieces")) {
    const json::Array *Piece = V.getAsArray();
    IsWrong |= !Piece || Piece->size() != 3;
    if (IsWrong)
      break;
    uint32_t Length = number((*Piece)[1]);
    Out.Pieces.push_back({number((*Piece)[0]), Length, {0, number((*Piece)[2]), Length}});
  }
  return Out;
}

RegistrationEntry FileReader::entry(const json::Object &E) {
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
  if (const json::Array *Tags = E.getArray("tags"))
    Out.Tags = strings(*Tags);
  return Out;
}

RegistrationBlock FileReader::block(const json::Object &B) {
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
  for (const json::Value &E : list(B, "entries"))
    Out.Entries.push_back(entry(object(E)));
  return Out;
}

Expected<PythonAnswer> FileReader::read(StringRef File, const json::Object *Facts) {
  PythonAnswer Out{unreadPython(File, text(O, "error")), {}, {}, {}, {}, {}};
  UnitFacts &Unit = Out.Unit;
  for (const json::Value &B : list(O, "blocks"))
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
  // As values it takes fifty times that much memory.
  constexpr size_t MostOfFile = 16 << 20;
  if (Answer.size() > MostOfFile)
    return PythonAnswer{
        unreadPython(File, "the file has too many registrations"), {}, {}, {}, {}, {}};
  auto [Registrations, Facts] = Answer.split('\n');
  Expected<json::Value> Read = parseJson(Registrations);
  if (!Read)
    return Read.takeError();
  Expected<json::Value> ReadFacts = parseJson(Facts);
  if (!ReadFacts)
    return ReadFacts.takeError();
  const json::Object *O = Read->getAsObject();
  if (!O || (!ReadFacts->getAsNull() && !ReadFacts->getAsObject()))
    return createStringError("torch_library.py printed unexpected output for this file");
  return FileReader(*O).read(File, ReadFacts->getAsObject());
}

//===- YamlCompletion.cpp - What may be written in a schema YAML --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// the line up to the place, and the keys that it is under => fields, keys, operators, schemas
//
//===----------------------------------------------------------------------===//
#include "SchemaCompletion.h"
#include "opsig/Editor/YamlDocument.h"
#include "opsig/Operators/YamlFields.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace opsig {

namespace {

/// A place in YAML of the plain kind: lines, indented.
struct YamlPlace {
  StringRef Line;       ///< up to the place
  size_t Indent = 0;    ///< of the line
  StringRef Under;      ///< the nearest key above that is indented less
  size_t WordBegin = 0; ///< of what is being written, in the text
};

size_t indentOf(StringRef Line) { return std::min(Line.find_first_not_of(' '), Line.size()); }

YamlPlace placeAt(StringRef Text, size_t Offset) {
  YamlPlace Out;
  size_t Begin = Text.take_front(Offset).rfind('\n');
  Begin = Begin == StringRef::npos ? 0 : Begin + 1;
  Out.Line = Text.slice(Begin, Offset);
  Out.Indent = indentOf(Out.Line);
  bool IsItem = Out.Line.trim().starts_with("-");
  auto IsPart = [](char C) { return llvm::isAlnum(C) || C == '_' || C == '.'; };
  Out.WordBegin = Offset;
  while (Out.WordBegin > Begin && IsPart(Text[Out.WordBegin - 1]))
    --Out.WordBegin;
  for (StringRef Above = Text.take_front(Begin); !Above.empty();) {
    Above = Above.drop_back(); // the line's end
    size_t Start = Above.rfind('\n');
    StringRef Line = Above.drop_front(Start == StringRef::npos ? 0 : Start + 1);
    Above = Above.drop_back(Line.size());
    StringRef Content = Line.trim();
    if (Content.empty() || Content.starts_with("#") || Content.starts_with("- "))
      if (!Content.starts_with("- ") || IsItem)
        continue;
    size_t Indent = indentOf(Line);
    if (Indent < Out.Indent || (IsItem && Indent == Out.Indent)) {
      Content.consume_front("- ");
      Out.Under = Content.split(':').first;
      break;
    }
  }
  return Out;
}

void add(Completions &To, Completion::Kind Is, StringRef Label, StringRef Detail = "") {
  To.Items.push_back({Is, Label.str(), Detail.str()});
}

template <typename Range = std::initializer_list<StringRef>>
void addAll(Completions &To, Completion::Kind Is, const Range &Labels) {
  for (StringRef Label : Labels)
    add(To, Is, Label);
}

void addKeys(const Dialect &D, Completions &To) {
  for (DispatchKey Key : D.Keys.Dispatch)
    add(To, Completion::Key, toString(Key));
}

} // namespace

void YamlDocument::addOperators(Completions &To) const {
  for (const NativeFunction &F : Ops->Functions)
    To.Items.push_back({Completion::Operator, F.Schema.Name.str(), F.Schema.str()});
}

std::optional<Completions> YamlDocument::completeNative(size_t Offset) const {
  YamlPlace At = placeAt(*Text, Offset);
  Completions Out;
  Out.Begin = At.WordBegin;
  Out.End = Offset;
  StringRef Line = At.Line.ltrim();
  if (Line.consume_front("- func:")) {
    StringRef Schema = Line.ltrim();
    if (!Schema.contains('('))
      return std::nullopt;
    Out = completeSchema(Schema, {Ops, grammarOf(*Ops->D), {}});
    size_t Word = Schema.size() - Out.Begin;
    Out.Begin = Offset - Word;
    Out.End = Offset;
    return Out;
  }
  auto [Field, Value] = Line.split(':');
  bool HasField = Line.contains(':');
  if (At.Under == "dispatch" && !HasField)
    addKeys(*Ops->D, Out);
  else if (!HasField && At.Indent > 0 && At.Under == "func")
    addAll(Out, Completion::Field, nativeFunctionFields());
  else if (HasField && (Field == "structured_delegate"))
    addOperators(Out);
  else if (HasField && Field == "variants")
    addAll(Out, Completion::Value, {"function", "method"});
  else if (HasField && Field == "device_check")
    addAll(Out, Completion::Value, {"NoCheck", "ExactSame"});
  else if (HasField && Field == "tags")
    addAll(Out, Completion::Value, Ops->ValidTags);
  else if (HasField &&
           llvm::is_contained({"structured", "manual_kernel_registration", "manual_cpp_binding",
                               "device_guard", "use_const_ref_for_mutable_tensors"},
                              Field))
    addAll(Out, Completion::Value, {"True", "False"});
  else
    return std::nullopt;
  keepBeginning(Out, StringRef(*Text).slice(Out.Begin, Offset));
  return Out;
}

std::optional<Completions> YamlDocument::completeBackend(size_t Offset) const {
  YamlPlace At = placeAt(*Text, Offset);
  Completions Out;
  Out.Begin = At.WordBegin;
  Out.End = Offset;
  StringRef Line = At.Line.ltrim();
  auto [Field, Value] = Line.split(':');
  bool HasField = Line.contains(':') && !Line.starts_with("-");
  if (Line.starts_with("-") && !At.Under.empty())
    addOperators(Out);
  else if (HasField && Value.ltrim().starts_with("["))
    addOperators(Out);
  else if (HasField && Field == "backend") {
    addAll(Out, Completion::Key,
           {"PrivateUse1", "XLA", "Lazy"}); // whose kernels are not PyTorch's own
    addKeys(*Ops->D, Out);
  } else if (HasField && (Field == "use_out_as_primary" || Field == "device_guard"))
    addAll(Out, Completion::Value, {"True", "False"});
  else if (!HasField && At.Indent == 0 && !Line.starts_with("-"))
    addAll(Out, Completion::Field, backendFields());
  else
    return std::nullopt;
  keepBeginning(Out, StringRef(*Text).slice(Out.Begin, Offset));
  return Out;
}

std::optional<Completions> YamlDocument::complete(size_t Offset) const {
  Offset = std::min(Offset, Text->size());
  if (!Ops)
    return std::nullopt;
  return Kind == YamlKind::Native ? completeNative(Offset) : completeBackend(Offset);
}

} // namespace opsig

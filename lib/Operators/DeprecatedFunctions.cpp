//===- DeprecatedFunctions.cpp - Old Python signatures of operators ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FieldReaderInternal.h"
#include "opsig/Operators/DeprecatedFunctions.h"
#include "opsig/Operators/Operators.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr StringRef KnownFields[] = {"name", "aten"};

/// The one constant that a call may hold; as an argument it is a Scalar.
constexpr StringLiteral KnownConstant = "1";

bool isWordChar(char C) { return isAlnum(C) || C == '_'; }

/// "addmm_out(out, self)" or "addmm.out(...)", taken apart.
struct CallText {
  StringRef Name;
  StringRef Arguments;
};
std::optional<CallText> splitCall(StringRef Text) {
  CallText Call;
  Call.Name = Text.take_while(isWordChar);
  StringRef Rest = Text.drop_front(Call.Name.size());
  if (Rest.consume_front(".")) {
    StringRef Overload = Rest.take_while(isWordChar);
    if (Overload.empty())
      return std::nullopt;
    Rest = Rest.drop_front(Overload.size());
  }
  if (Call.Name.empty() || !Rest.consume_front("(") || !Rest.consume_back(")"))
    return std::nullopt;
  Call.Arguments = Rest;
  return Call;
}

void dropAll(std::string &Text, StringRef Part) {
  for (size_t At; (At = Text.find(Part)) != std::string::npos;)
    Text.erase(At, Part.size());
}

class EntryReader {
public:
  EntryReader(const YamlNode &Entry, const Grammar &G, Findings &Diags)
      : Fields(Entry, Diags), G(G), Diags(Diags) {}

  /// Null where the entry cannot be used.
  std::unique_ptr<const DeprecatedFunction> read() {
    size_t Before = Diags.size();
    std::optional<LocatedText> Schema = take("name", "the schema of the deprecated function");
    std::optional<LocatedText> Call = take("aten", "the call that replaces it");
    Fields.reportUnknown(finding::UnknownField, "a deprecated function", KnownFields);
    if (Schema)
      readSchema(*Schema);
    if (Schema && Call && Diags.size() == Before)
      readCall(*Call);
    return Diags.size() == Before ? std::move(Function) : nullptr;
  }

private:
  std::optional<LocatedText> take(StringRef Name, StringRef What) {
    if (!Fields.has(Name))
      Diags.report(finding::DeprecatedField, Fields.at(),
                   "a deprecated function needs the field '{0}', {1}", Name, What);
    return Fields.takeString(Name);
  }

  void readSchema(const LocatedText &Text) {
    SchemaErrors Errors;
    std::optional<FunctionSchema> Schema = parseSchema(Text.Text, G, Errors);
    if (!Schema) {
      report(Diags, Text, Errors);
      return;
    }
    Function->Schema = std::move(*Schema);
    Function->At = Text.At;
  }

  void readCall(const LocatedText &Text) {
    std::optional<CallText> Call = splitCall(Text.Text);
    if (!Call) {
      Diags.report(finding::DeprecatedCall, Text.At,
                   "expected a call such as 'add(self, other)' but found '{0}'", Text.Text);
      return;
    }
    Function->CallAt = Text.At;
    Function->Operator = Call->Name.str();
    Function->CallsOut = Call->Name.ends_with("_out");
    if (Function->CallsOut)
      dropAll(Function->Operator, "_out");
    for (StringRef Argument : splitList(Call->Arguments))
      readArgument(Argument, Text);
  }

  void readArgument(StringRef Name, const LocatedText &Call) {
    DeprecatedArgument Result{Name.str(), nullptr};
    std::vector<StringRef> Known;
    for (const Argument &A : Function->Schema.Args.All) {
      Known.push_back(A.Name);
      if (A.Name == Name)
        Result.Arg = &A;
    }
    if (!Result.Arg && Name != KnownConstant)
      Diags.report(finding::DeprecatedArgument,
                   Call.at(Name.data() - Call.Text.data(), Name.size()),
                   "expected an argument of '{1}' or the constant 1 but found '{0}'{2}", Name,
                   Function->Schema.Name.str(), didYouMean(Name, Known));
    Function->Call.push_back(std::move(Result));
  }

  FieldReader Fields;
  const Grammar &G;
  Findings &Diags;
  std::unique_ptr<DeprecatedFunction> Function = std::make_unique<DeprecatedFunction>();
};

} // namespace

DeprecatedFunctions readDeprecatedFunctions(SourceId File, const SourceFiles &Files,
                                            const Dialect &D, Findings &Diags) {
  DeprecatedFunctions Result;
  YamlTree Tree(File, Files, Diags);
  if (!Tree.root())
    return Result;
  if (Tree.root()->Is != YamlNode::Sequence) {
    reportKind(Diags, finding::FileNotList, *Tree.root(), "deprecated.yaml", "a list");
    return Result;
  }
  Grammar G = grammarOf(D);
  for (const YamlNode *Entry : Tree.root()->Children) {
    if (Entry->Is != YamlNode::Map) {
      reportKind(Diags, finding::EntryNotMap, *Entry, "an entry", "a mapping");
      continue;
    }
    if (std::unique_ptr<const DeprecatedFunction> F = EntryReader(*Entry, G, Diags).read())
      Result.All.push_back(std::move(F));
  }
  return Result;
}

} // namespace opsig

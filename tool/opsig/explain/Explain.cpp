//===- Explain.cpp - opsig explain ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ids => their pages; --list, globs => the list of checks (CheckList.h)
//
//===----------------------------------------------------------------------===//
#include "SchemaInput.h"
#include "Subcommands.h"
#include "Terminal.h"
#include "explain/CheckList.h"
#include "opsig/Report/RulePages.h"
#include "opsig/Report/Selection.h"
#include "llvm/Support/WithColor.h"

namespace cl = llvm::cl;

namespace opsig {

namespace {

enum class ListFormat { Text, Json, Markdown };

/// The name of the check that \p Word stands for, as it is behind a finding or in that of a page:
/// "[opsig-x]", "opsig-x", "x", "x.md" => "x".
llvm::StringRef nameIn(llvm::StringRef Word) {
  if (Word.consume_front("["))
    Word.consume_back("]");
  Word.consume_front("opsig-");
  Word.consume_back(".md");
  return Word;
}

class ExplainCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "explain"; }
  llvm::StringRef operands() const override { return "(ID... | --list [GLOB...])"; }
  cl::SubCommand &parser() override { return Sub; }
  Choices choices() override { return {{"format", &Format.getParser()}}; }

  int run(const std::vector<std::string> &AfterDashes) override {
    std::vector<std::string> Words(Ids.begin(), Ids.end());
    Words.insert(Words.end(), AfterDashes.begin(), AfterDashes.end());
    return statusOf(List ? list(Words) : explain(Words));
  }

private:
  llvm::Expected<int> list(const std::vector<std::string> &Words) const;
  llvm::Expected<int> explain(const std::vector<std::string> &Words) const;

  cl::SubCommand Sub{"explain", "Print the page of a check, or the list of all checks"};
  cl::list<std::string> Ids{cl::Positional, cl::sub(Sub), cl::desc("ID... | --list [GLOB...]")};
  cl::opt<bool> List{"list", cl::sub(Sub), cl::desc("List all checks, or those that match a GLOB")};
  cl::opt<ListFormat> Format{
      "format", cl::sub(Sub), cl::desc("Choose the output format of --list"),
      cl::init(ListFormat::Text),
      cl::values(clEnumValN(ListFormat::Text, "text", "Human-readable text"),
                 clEnumValN(ListFormat::Json, "json", "One JSON object per line"),
                 clEnumValN(ListFormat::Markdown, "markdown",
                            "Markdown, as in docs/diagnostics/README.md"))};
};

/// Names may be given without "opsig-", as everywhere; a glob is as it is if it matches something.
std::string globFor(llvm::StringRef Word) {
  std::string Whole = ("opsig-" + nameIn(Word)).str();
  return CheckGlobs(Word).unknown().empty() || !CheckGlobs(Whole).unknown().empty() ? Word.str()
                                                                                    : Whole;
}

llvm::Expected<int> ExplainCommand::list(const std::vector<std::string> &Words) const {
  llvm::Error Wrong = llvm::Error::success();
  std::vector<std::string> Globs;
  for (const std::string &Word : Words)
    Globs.push_back(globFor(Word));
  for (const std::string &Glob : Globs)
    if (!CheckGlobs(Glob).unknown().empty())
      Wrong =
          llvm::joinErrors(std::move(Wrong), llvm::createStringError("unknown check '" + Glob +
                                                                     "'" + didYouMeanCheck(Glob)));
  if (Wrong)
    return std::move(Wrong);
  std::vector<CheckGroup> Groups = listChecks(Globs);
  switch (Format) {
  case ListFormat::Text:
    printText(llvm::outs(), Groups, outputColumns());
    break;
  case ListFormat::Json:
    printJson(llvm::outs(), Groups);
    break;
  case ListFormat::Markdown:
    printMarkdown(llvm::outs(), Groups);
    break;
  }
  return ExitClean;
}

/// Which list to look at: that of the checks that begin with the only word, or all.
static void noteList(llvm::ArrayRef<std::string> Words) {
  std::string Begin = "opsig-" + nameIn(Words.front()).str();
  bool IsBegin = Words.size() == 1 && CheckGlobs(Begin + "*").unknown().empty();
  llvm::WithColor::note(llvm::errs(), "opsig")
      << (IsBegin ? "`opsig explain --list '" + Begin + "*'` lists the checks that begin with '" +
                        Begin + "'\n"
                  : "`opsig explain --list` lists all checks\n");
}

llvm::Expected<int> ExplainCommand::explain(const std::vector<std::string> &Words) const {
  if (Words.empty())
    return llvm::createStringError(
        "expected the ID of a check, such as opsig-kernel-signature, or --list");
  llvm::Error Unknown = llvm::Error::success();
  std::vector<FindingId> Found;
  for (const std::string &Word : Words) {
    llvm::StringRef Name = nameIn(Word);
    if (std::optional<FindingId> Id = findFindingId(Name))
      Found.push_back(*Id);
    else
      Unknown = llvm::joinErrors(std::move(Unknown),
                                 llvm::createStringError("unknown check '" + Word + "'" +
                                                         didYouMeanCheck(("opsig-" + Name).str())));
  }
  if (Unknown) {
    complain(std::move(Unknown));
    noteList(Words);
    return ExitUnusable;
  }
  llvm::StringRef Between = "";
  for (FindingId Id : Found) {
    llvm::outs() << Between;
    if (llvm::outs().is_displayed() || printOptions(llvm::outs()).Colors)
      printPage(llvm::outs(), rulePage(Id), outputColumns());
    else
      llvm::outs() << rulePage(Id);
    Between = "\n";
  }
  return ExitClean;
}

} // namespace

std::unique_ptr<Subcommand> makeExplainCommand() { return std::make_unique<ExplainCommand>(); }

} // namespace opsig

//===- FileShow.cpp - opsig show ns::op FILE... --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/ProjectUnits.h"
#include "show/FileShow.h"
#include "show/SitesReport.h"
#include "opsig/Support/TypoCorrection.h"

namespace opsig {

struct FileShow::Impl {
  explicit Impl(llvm::cl::SubCommand &Sub) : Options(Sub), Reading(Sub) {}

  CheckOptions Options;
  ReadingOptions Reading;
};

FileShow::FileShow(llvm::cl::SubCommand &Sub) : TheImpl(std::make_unique<Impl>(Sub)) {}
FileShow::~FileShow() = default;

Subcommand::Choices FileShow::choices() { return {{"scope", &TheImpl->Options.Of.getParser()}}; }

static llvm::Error nothingFound(const std::string &Name, llvm::ArrayRef<OperatorSites> Sites) {
  std::vector<llvm::StringRef> Known;
  for (const OperatorSites &Op : Sites)
    Known.push_back(Op.Name);
  constexpr size_t MostListed = 5; // so many fit into a message
  return llvm::createStringError("no file that was read defines '" + Name +
                                 "' or registers a kernel for it" +
                                 didYouMeanOneOf(Name, Known, MostListed, "the files contain"));
}

llvm::Expected<int>
FileShow::show(llvm::ArrayRef<std::string> Words, const std::vector<std::string> &Flags,
               const SchemaOptions &Schemas, OutputFormat Format,
               llvm::function_ref<int(llvm::function_ref<void(llvm::raw_ostream &)>)> Print) {
  llvm::Expected<std::optional<ReadProject>> Project =
      readProject(Schemas, TheImpl->Options, TheImpl->Reading, Words.drop_front().vec(), Flags);
  if (!Project)
    return Project.takeError();
  if (!*Project)
    return ExitUnusable;
  const LoadedSchemas &Loaded = *(*Project)->Schemas;
  SourceFiles &Files = *(*Project)->Files;
  std::vector<OperatorSites> Sites =
      operatorSites((*Project)->Read.Units, Loaded.Backends, *Loaded.Ops, Files);
  std::vector<const OperatorSites *> Found = sitesNamed(Words[0], Sites);
  if (Found.empty())
    return nothingFound(Words[0], Sites);
  int Status = Print([&](llvm::raw_ostream &OS) {
    for (const OperatorSites *Op : Found) {
      llvm::StringRef Name = Op->Name;
      const NativeFunction *Native =
          Name.consume_front("aten::") ? Loaded.Ops->find(Name) : nullptr;
      if (Format == OutputFormat::Json) {
        printJson(OS, *Op, Native, Files);
        continue;
      }
      if (Op != Found.front())
        OS << '\n';
      printText(OS, *Op, Native, Files);
    }
  });
  return (*Project)->Read.Lost ? int(ExitUnusable) : Status;
}

} // namespace opsig

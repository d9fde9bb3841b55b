//===- GenStubs.cpp - opsig gen stubs ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ and Python files of a project => UnitFacts => DefinedOperators => StubNamespace*
//   => MODULE.pyi, and with --module MODULE.py
//
//===----------------------------------------------------------------------===//
#include "Memory.h"
#include "Messages.h"
#include "Subcommands.h"
#include "check/CheckOutput.h"
#include "check/ProjectUnits.h"
#include "gen/TorchSymbols.h"
#include "opsig/Check/DefinedOperators.h"
#include "opsig/Codegen/OperatorStubs.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/OutputTree.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

namespace opsig {

namespace {

class GenStubsCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "gen stubs"; }
  llvm::StringRef operands() const override { return "FILE... --output MODULE.pyi [-- FLAGS]"; }
  cl::SubCommand &parser() override { return Sub; }
  Choices choices() override { return {{"scope", &Options.Of.getParser()}}; }
  int run(const std::vector<std::string> &AfterDashes) override {
    keepMemoryInLargePages();
    return statusOf(generate(AfterDashes));
  }

private:
  llvm::Error refuseWords() const;
  llvm::Expected<int> generate(const std::vector<std::string> &AfterDashes);
  llvm::Error write(llvm::ArrayRef<StubNamespace> Namespaces, bool HasSymbols) const;

  cl::SubCommand Sub{"gen-stubs", "Write typed stubs of the operators that a project defines"};
  SchemaOptions Schema{Sub};
  CheckOptions Options{Sub};
  ReadingOptions Reading{Sub};
  cl::list<std::string> Inputs{cl::Positional, cl::sub(Sub), cl::desc("FILE... [-- FLAGS]")};
  cl::opt<std::string> Output{"output", cl::sub(Sub), cl::value_desc("MODULE.pyi"),
                              cl::desc("Write the stub to MODULE.pyi; '-' means standard output")};
  cl::opt<bool> Module{
      "module", cl::sub(Sub),
      cl::desc("Also write MODULE.py, which has a variable for each namespace of torch.ops")};
};

/// The namespaces of PyTorch's own operators, of which a project defines a part only.
bool isPytorchs(llvm::StringRef Namespace) {
  return llvm::is_contained({"aten", "prim", "prims", "quantized"}, Namespace);
}

/// By namespace and name, in the order of their first definition.
std::vector<StubNamespace> stubNamespaces(DefinedOperators Defined) {
  std::vector<StubNamespace> Out;
  auto Named = [](auto &List, llvm::StringRef Name) -> auto & {
    auto Known = llvm::find_if(List, [&](const auto &Each) { return Each.Name == Name; });
    if (Known != List.end())
      return *Known;
    List.emplace_back().Name = Name.str();
    return List.back();
  };
  for (DefinedOperator &Op : Defined.All) {
    StubNamespace &N = Named(Out, Op.Namespace);
    N.IsOpen = isPytorchs(Op.Namespace) || Defined.isOpen(Op.Namespace);
    auto [Name, Overload] = llvm::StringRef(Op.Name).split('.');
    Named(N.Operators, Name)
        .Overloads.push_back({Overload.str(), std::move(Op.Schema), std::move(Op.Text)});
  }
  return Out;
}

/// What is not in the stubs, or only in part.
void reportOpen(const DefinedOperators &Defined) {
  if (Defined.Unread)
    reportNote(counted(Defined.Unread, "definition") +
               (Defined.Unread == 1 ? " could not be read, so the stubs lack its operator"
                                    : " could not be read, so the stubs lack their operators"));
  for (const DefinedOperator &Op : Defined.All)
    if (!Op.Schema)
      reportNote("the schema of '" + Op.Namespace + "::" + Op.Name +
                 "' could not be read, so its stub accepts any arguments");
  for (const std::string &Name : Defined.Ambiguous)
    reportWarning("'" + Name + "' is defined with different schemas; the stub uses the first one");
}

llvm::Error GenStubsCommand::refuseWords() const {
  if (Inputs.empty())
    return llvm::createStringError("gen stubs needs FILE..., the sources that define operators");
  if (Output.empty())
    return llvm::createStringError("gen stubs needs --output MODULE.pyi, the file to write");
  if (Output == "-" && Module)
    return llvm::createStringError(
        "--module writes a file into the folder of MODULE.pyi, so --output must be a file");
  if (Output != "-" && llvm::sys::path::extension(Output) != ".pyi")
    return llvm::createStringError("--output must name a file that ends in .pyi, not '" + Output +
                                   "'");
  return llvm::Error::success();
}

llvm::Error GenStubsCommand::write(llvm::ArrayRef<StubNamespace> Namespaces,
                                   bool HasSymbols) const {
  if (Output == "-") {
    llvm::outs() << operatorStubs(Namespaces, HasSymbols);
    return llvm::Error::success();
  }
  OutputTree Tree;
  Tree.add(Output, operatorStubs(Namespaces, HasSymbols));
  if (Module) {
    llvm::SmallString<128> Path(Output.getValue());
    llvm::sys::path::replace_extension(Path, ".py");
    Tree.add(Path, operatorModule(Namespaces));
  }
  return Tree.commit().takeError();
}

llvm::Expected<int> GenStubsCommand::generate(const std::vector<std::string> &AfterDashes) {
  if (llvm::Error Err = refuseWords())
    return std::move(Err);
  llvm::Expected<std::optional<ReadProject>> Project =
      readProject(Schema, Options, Reading, {Inputs.begin(), Inputs.end()}, AfterDashes);
  if (!Project)
    return Project.takeError();
  if (!*Project)
    return ExitUnusable;
  const LoadedSchemas &Loaded = *(*Project)->Schemas;
  const ProjectUnits &Read = (*Project)->Read;
  DefinedOperators Defined =
      definedOperators(Read.Units, Loaded.Backends, *Loaded.Ops, *(*Project)->Files);
  reportOpen(Defined);
  if (Defined.All.empty())
    return llvm::createStringError("no file defines an operator, so no stub was written");
  bool HasSymbols = hasSymbols((*Project)->Setup.Source.TorchRoot);
  if (llvm::Error Err = write(stubNamespaces(std::move(Defined)), HasSymbols))
    return std::move(Err);
  return Read.Lost ? ExitUnusable : ExitClean;
}

} // namespace

std::unique_ptr<Subcommand> makeGenStubsCommand() { return std::make_unique<GenStubsCommand>(); }

} // namespace opsig

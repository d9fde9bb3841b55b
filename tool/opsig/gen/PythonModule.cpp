//===- PythonModule.cpp - opsig gen python --module -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// schemas + list of operators => PythonExtension => NAME.cpp, NAME.pyi
//
//===----------------------------------------------------------------------===//
#include "Subcommands.h"
#include "gen/PythonModule.h"
#include "opsig/Codegen/PythonExtension.h"
#include "opsig/Support/CppName.h"
#include "opsig/Support/OutputTree.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

namespace opsig {

PythonModuleOptions::PythonModuleOptions(cl::SubCommand &Sub)
    : Name("module", cl::sub(Sub), cl::value_desc("NAME"),
           cl::desc("Instead of PyTorch's bindings, write an extension module NAME, with the "
                    "operators of --ops or --schemas, and its stub file to OUT")),
      Ops("ops", cl::sub(Sub), cl::value_desc("LIST"),
          cl::desc("With --module: bind these operators, such as add,sub.Tensor, or those that "
                   "@FILE lists")) {}

void PythonModuleOptions::adaptWords(std::vector<std::string> &Words) {
  for (size_t I = 0; I + 1 < Words.size(); ++I)
    if ((Words[I] == "--ops" || Words[I] == "-ops") &&
        llvm::StringRef(Words[I + 1]).starts_with("@")) {
      Words[I] += "=" + Words[I + 1];
      Words.erase(Words.begin() + I + 1);
    }
}

static bool isIdentifier(llvm::StringRef Text) {
  return !Text.empty() && !llvm::isDigit(Text.front()) &&
         llvm::all_of(Text, [](char C) { return llvm::isAlnum(C) || C == '_'; });
}

llvm::Error PythonModuleOptions::check(const SchemaOptions &Schemas,
                                       llvm::ArrayRef<std::string> Positional) const {
  if (Name.empty())
    return llvm::createStringError("--ops needs --module NAME");
  // It names a class of the module's C++ as well as the module.
  if (!isIdentifier(Name) || !isCppName(Name))
    return llvm::createStringError("--module needs a valid identifier, not '" + Name + "'");
  if (Positional.size() != 1)
    return llvm::createStringError("gen python --module needs OUT, the folder to write to");
  if (Ops.empty() && Schemas.Schemas.empty())
    return llvm::createStringError("--module needs --ops LIST, or --schemas FILE with the "
                                   "operators to bind");
  return llvm::Error::success();
}

llvm::Expected<SourceId> PythonModuleOptions::openList(SourceFiles &Files) const {
  llvm::StringRef List = Ops;
  if (List.consume_front("@"))
    return Files.open(List);
  return Files.add("--ops", List.str());
}

/// All of the file, but for what stands there only by autogen.
static std::vector<const NativeFunction *> writtenFunctions(const Operators &Ops) {
  std::vector<const NativeFunction *> Functions;
  for (const NativeFunction &F : Ops.Functions)
    if (!F.Generated)
      Functions.push_back(&F);
  return Functions;
}

int PythonModuleOptions::run(const SchemaOptions &Schemas,
                             llvm::ArrayRef<std::string> Positional) const {
  auto Unusable = [](llvm::Error Err) {
    complain(std::move(Err));
    return ExitUnusable;
  };
  if (llvm::Error Err = check(Schemas, Positional))
    return Unusable(std::move(Err));
  llvm::Expected<SchemaSource> Source = findSchemas(Schemas, ".", llvm::errs());
  if (!Source)
    return Unusable(Source.takeError());
  Source->Backends.clear(); // A project's backends have no part in this.
  SchemasOfRun Loaded = loadForGenerator(*Source, Schemas.Verbose);
  if (!Loaded)
    return ExitUnusable;

  std::vector<const NativeFunction *> Functions;
  if (Ops.empty()) {
    Functions = writtenFunctions(*Loaded->Ops);
  } else {
    llvm::Expected<SourceId> List = openList(Loaded->Files);
    if (!List)
      return Unusable(List.takeError());
    Functions = choosePythonOps(readOpNames(*List, Loaded->Files), *Loaded->Ops, Loaded->Diags);
  }
  PythonExtension Extension = bindPythonExtension(
      Name, Functions, /*ThroughDispatcher=*/!Schemas.Schemas.empty(), *Source->D, Loaded->Diags);
  if (Loaded->Diags.hasErrors()) {
    printDiagnostics(llvm::errs(), Loaded->Diags, Loaded->Files, OutputFormat::Text);
    return ExitUnusable;
  }
  if (Extension.Functions.empty())
    return Unusable(llvm::createStringError("no operator to bind was found"));

  OutputTree Tree;
  for (const GeneratedFile &File :
       {pythonExtensionSource(Extension, *Source->D), pythonExtensionStub(Extension, *Source->D)}) {
    llvm::SmallString<128> Path(Positional.front());
    llvm::sys::path::append(Path, File.Name);
    Tree.add(Path.str().str(), File.Text);
  }
  if (llvm::Error Err = Tree.commit().takeError())
    return Unusable(std::move(Err));
  return ExitClean;
}

} // namespace opsig

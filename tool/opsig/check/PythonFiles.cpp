//===- PythonFiles.cpp - Registrations in Python ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/PythonFiles.h"
#include "check/ShareFolder.h"
#include "opsig/Support/ReadFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

namespace fs = llvm::sys::fs;

namespace opsig {

/// The last part of a dotted name.
static llvm::StringRef lastName(llvm::StringRef Dotted) {
  return Dotted.substr(Dotted.rfind('.') + 1);
}

/// Cheap, and true for all that matter: who uses torch.library names both.
static bool mayRegister(llvm::StringRef Text, llvm::ArrayRef<PythonRegistrar> Registrars) {
  return (Text.contains("torch") && (Text.contains("library") || Text.contains("Library"))) ||
         llvm::any_of(Registrars, [&](const PythonRegistrar &R) {
           return Text.contains(lastName(R.Function));
         });
}

/// As the script has them.
static std::string registrarsAsJson(llvm::ArrayRef<PythonRegistrar> Registrars) {
  llvm::json::Array Out;
  for (const PythonRegistrar &R : Registrars) {
    llvm::json::Array Parameters(R.Parameters);
    if (Parameters.empty())
      Parameters = llvm::json::Array{R.Name, R.Kernel, R.MutatesArgs, R.Fake, R.Library, R.Key};
    Out.push_back(llvm::json::Object{{"function", R.Function},
                                     {"name", R.Name},
                                     {"kernel", R.Kernel},
                                     {"mutates_args", R.MutatesArgs},
                                     {"fake", R.Fake},
                                     {"library", R.Library},
                                     {"key", R.Key},
                                     {"parameters", std::move(Parameters)},
                                     {"namespace", R.Namespace},
                                     {"default_key", R.DefaultKey}});
  }
  return llvm::formatv("{0}", llvm::json::Value(std::move(Out)));
}

/// What \p Program prints for \p Input.
static llvm::Expected<std::string>
output(llvm::StringRef Program, llvm::ArrayRef<llvm::StringRef> Arguments, llvm::StringRef Input) {
  llvm::SmallString<128> In, Out;
  int Fd = -1;
  if (std::error_code Error = fs::createTemporaryFile("opsig", "in", Fd, In))
    return llvm::createStringError("cannot make a temporary file: " + Error.message());
  llvm::FileRemover RemoveIn(In);
  llvm::raw_fd_ostream(Fd, /*shouldClose=*/true) << Input;
  if (std::error_code Error = fs::createTemporaryFile("opsig", "out", Out))
    return llvm::createStringError("cannot make a temporary file: " + Error.message());
  llvm::FileRemover RemoveOut(Out);
  std::optional<llvm::StringRef> Redirects[] = {llvm::StringRef(In), llvm::StringRef(Out),
                                                llvm::StringRef()};
  std::string Why;
  if (int Status =
          llvm::sys::ExecuteAndWait(Program, Arguments, std::nullopt, Redirects, 0, 0, &Why))
    return llvm::createStringError(
        Program + " failed" + (Why.empty() ? " with status " + llvm::Twine(Status) : ": " + Why));
  auto Text = readWholeFile(Out);
  if (!Text)
    return Text.takeError();
  return (*Text)->getBuffer().str();
}

static llvm::Expected<std::vector<TranslationUnit>>
readBy(llvm::StringRef Python, llvm::StringRef Script, llvm::ArrayRef<std::string> Files,
       llvm::ArrayRef<PythonRegistrar> Registrars) {
  std::string Own = registrarsAsJson(Registrars);
  // Nothing of the project, nor of the user's, is on its path.
  llvm::StringRef Arguments[] = {Python, "-I", "-S", "-W", "ignore", Script, Own};
  llvm::Expected<std::string> Json = output(Python, Arguments, llvm::join(Files, "\n"));
  if (!Json)
    return Json.takeError();
  return readPythonRegistrations(*Json);
}

llvm::Expected<std::vector<TranslationUnit>> readPython(const PythonInputs &Inputs) {
  std::vector<std::string> Using;
  for (const std::string &File : Inputs) {
    auto Text = readWholeFile(File);
    if (!Text)
      return Text.takeError();
    if (mayRegister((*Text)->getBuffer(), Inputs.Registrars))
      Using.push_back(File);
  }
  std::vector<TranslationUnit> Units;
  if (Using.empty())
    return std::move(Units);
  std::string Script = shareFolder() + "/python/torch_library.py";
  llvm::ErrorOr<std::string> Python = llvm::sys::findProgramByName("python3");
  std::string Why;
  if (!Python)
    Why = "there is no python3 to read it with";
  else if (!fs::exists(Script))
    Why = "'" + Script + "' is not there to read it with";
  if (Why.empty()) {
    llvm::Expected<std::vector<TranslationUnit>> Read =
        readBy(*Python, Script, Using, Inputs.Registrars);
    if (Read)
      Units = std::move(*Read);
    else
      Why = llvm::toString(Read.takeError());
  }
  if (!Why.empty())
    for (const std::string &File : Using)
      Units.push_back(unreadPython(File, Why));
  // Many mention libraries of another kind.
  llvm::erase_if(Units, [](const TranslationUnit &Unit) {
    return Unit.complete() && Unit.Registrations.empty();
  });
  return std::move(Units);
}

} // namespace opsig

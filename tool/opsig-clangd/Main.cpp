//===- Main.cpp - clangd with opsig's checks inside -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clangd loads no modules of clang-tidy, so this is a clangd that has one: its archives, linked
// with EditorModule.cpp. What the module reads answers requests about registrations (Between.cpp);
// clangd has no place for that either. Its headers are not installed; what is needed of them is
// declared here, and the linker's --wrap (CMakeLists.txt) puts functions of this program between
// clangd and itself.
//
//===----------------------------------------------------------------------===//
#include "Between.h"
#include "EditorModule.h"
#include "check/ProgramDocs.h"
#include "lsp/ProjectReading.h"
#include "opsig/Frontend/Parse.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/Sandbox.h"
#include "opsig/Tidy/TidyChecks.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "clang-tidy/ClangTidyOptions.h"
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang::clangd {

class CommandMangler;

int clangdMain(int argc, char *argv[]);

/// Changes the options of clang-tidy for a file.
using TidyProvider =
    llvm::unique_function<void(tidy::ClangTidyOptions &, llvm::StringRef File) const>;

// A remote index needs gRPC; a clangd without it has this very answer.
class SymbolIndex {
public:
  virtual ~SymbolIndex() = default;
};
namespace remote {
std::unique_ptr<SymbolIndex> getClient(llvm::StringRef, llvm::StringRef) { return nullptr; }
} // namespace remote

} // namespace clang::clangd

using namespace clang::clangd;

#define IS_FAST "_ZN5clang6clangd15isFastTidyCheckEN4llvm9StringRefE"
#define DISABLE_UNUSABLE                                                                           \
  "_ZN5clang6clangd21disableUnusableChecksEN4llvm8ArrayRefINSt7__cxx1112basic_stringIcSt11char_"   \
  "traitsIcESaIcEEEEE"

#define MANGLE_COMMAND                                                                             \
  "_ZNK5clang6clangd14CommandManglerclERNS_7tooling14CompileCommandEN4llvm9StringRefE"

#define EXPAND_FILES                                                                               \
  "_ZN5clang7tooling19expandResponseFilesESt10unique_ptrINS0_19CompilationDatabaseESt14default_"   \
  "deleteIS2_EEN4llvm18IntrusiveRefCntPtrINS6_3vfs10FileSystemEEE"

#define EXPAND_WORDS                                                                               \
  "_ZN5clang7tooling24addExpandedResponseFilesERSt6vectorINSt7__cxx1112basic_stringIcSt11char_"    \
  "traitsIcESaIcEEESaIS7_EEN4llvm9StringRefEPFvSC_RNSB_11StringSaverERNSB_15SmallVectorImplIPKcEE" \
  "bERNSB_3vfs10FileSystemE"

// clangd's own functions, and those that it calls instead. That of a class has its object first.
void clangdMangle(const CommandMangler *, clang::tooling::CompileCommand &Command,
                  llvm::StringRef File) __asm__("__real_" MANGLE_COMMAND);
void mangle(const CommandMangler *, clang::tooling::CompileCommand &Command,
            llvm::StringRef File) __asm__("__wrap_" MANGLE_COMMAND);
std::unique_ptr<clang::tooling::CompilationDatabase>
expandFiles(std::unique_ptr<clang::tooling::CompilationDatabase> Commands,
            llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>) __asm__("__wrap_" EXPAND_FILES);
using Tokenizer = void (*)(llvm::StringRef, llvm::StringSaver &,
                           llvm::SmallVectorImpl<const char *> &, bool);
void expandWords(std::vector<std::string> &Command, llvm::StringRef Directory, Tokenizer,
                 llvm::vfs::FileSystem &) __asm__("__wrap_" EXPAND_WORDS);
std::optional<bool> clangdIsFast(llvm::StringRef Check) __asm__("__real_" IS_FAST);
std::optional<bool> isFast(llvm::StringRef Check) __asm__("__wrap_" IS_FAST);
TidyProvider
clangdDisableUnusable(llvm::ArrayRef<std::string> More) __asm__("__real_" DISABLE_UNUSABLE);
TidyProvider disableUnusable(llvm::ArrayRef<std::string> More) __asm__("__wrap_" DISABLE_UNUSABLE);

/// Unless told otherwise clangd runs no check whose speed it does not know.
std::optional<bool> isFast(llvm::StringRef Check) {
  return Check.starts_with("opsig-") ? true : clangdIsFast(Check);
}

/// The last step of clangd's choice of checks. opsig's are on unless the user's settings
/// (.clang-tidy, .clangd) say something about them; what reports nothing always is.
TidyProvider disableUnusable(llvm::ArrayRef<std::string> More) {
  return [Next = clangdDisableUnusable(More)](clang::tidy::ClangTidyOptions &Options,
                                              llvm::StringRef File) {
    std::string Checks = Options.Checks.value_or("");
    if (!llvm::StringRef(Checks).contains("opsig"))
      Checks += (Checks.empty() ? "" : ",") + std::string("opsig-*");
    Options.Checks = Checks + "," + opsig::ListeningCheck.str();
    Next(Options, File);
  };
}

/// The last step of clangd's compile commands: compile_commands.json, compile_flags.txt and .clangd
/// have had their say. None of them makes Clang's driver run, load or write anything.
void mangle(const CommandMangler *Mangler, clang::tooling::CompileCommand &Command,
            llvm::StringRef File) {
  clangdMangle(Mangler, Command, File);
  Command.CommandLine = opsig::readingCommand(Command.CommandLine, File, Command.Directory);
}

/// clangd would read files of options to their ends here, and devices and pipes have none;
/// readingCommand() does it within bounds.
std::unique_ptr<clang::tooling::CompilationDatabase>
expandFiles(std::unique_ptr<clang::tooling::CompilationDatabase> Commands,
            llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>) {
  return Commands;
}
void expandWords(std::vector<std::string> &, llvm::StringRef, Tokenizer, llvm::vfs::FileSystem &) {}

/// What the user says of the folder with compile commands; "" for nothing.
static std::string buildFolder(llvm::ArrayRef<const char *> Arguments) {
  std::string Found;
  for (size_t I = 1; I < Arguments.size(); ++I) {
    llvm::StringRef Argument = Arguments[I];
    if (!Argument.consume_front("--") && !Argument.consume_front("-"))
      continue;
    if (Argument.consume_front("compile-commands-dir="))
      Found = Argument.str();
    else if (Argument == "compile-commands-dir" && I + 1 < Arguments.size())
      Found = Arguments[I + 1];
  }
  return Found.empty() ? "" : opsig::absolutePath(Found);
}

/// The arguments for clangd, which end with a null pointer as those of main do. Libraries for
/// editors add --stdio to name the transport; clangd knows no other one, and not this option.
static std::vector<char *> withoutTransport(llvm::ArrayRef<char *> Given) {
  std::vector<char *> Kept;
  for (char *Argument : Given)
    if (llvm::StringRef Text = Argument; Text != "--stdio" && Text != "-stdio")
      Kept.push_back(Argument);
  Kept.push_back(nullptr);
  return Kept;
}

int main(int argc, char *argv[]) {
  std::vector<char *> Kept = withoutTransport(llvm::ArrayRef(argv, argc));
  llvm::ArrayRef<const char *> Arguments(Kept.data(), Kept.size() - 1);
  // clangd needs none, not even for compile commands: it asks no compiler (--query-driver is off
  // unless an editor's user allows it), and what a project says must not start one.
  opsig::forbidPrograms();
  setenv("LLVM_DISABLE_SYMBOLIZATION", "1", /*overwrite=*/1);
  if (!opsig::talksToEditor(Arguments))
    return clangdMain(Arguments.size(), Kept.data());
  opsig::EditorFacts &Facts = opsig::editorFacts();
  // To the end of the program: threads read for it.
  static opsig::ProjectReading Project({Facts.Board, buildFolder(Arguments), OPSIG_VERSION});
  Facts.Opened = [](llvm::StringRef Path) { Project.openedFile(Path); };
  opsig::ClangdProxy Proxy(Facts.Board, opsig::programDocs());
  opsig::runBetween(Proxy, [&] { return clangdMain(Arguments.size(), Kept.data()); });
}

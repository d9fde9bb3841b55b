//===- HelpTables.cpp - What help says besides the options' own texts -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "help/HelpTables.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {

namespace {

constexpr llvm::StringRef Groups[] = {"Options", "Which files", "Which PyTorch", "Which checks",
                                      "Fixes",   "Output",      "Reading"};

struct GroupOfOption {
  llvm::StringRef Group;
  llvm::StringRef Options; ///< separated by blanks
};

constexpr GroupOfOption OptionTable[] = {
    {"Which files",
     "all backend exclude p root scope since stdin-filename facts-in show-files watch"},
    {"Which PyTorch", "schemas tags torch torch-root"},
    {"Which checks",
     "add-suppressions baseline checks level suppress-path write-baseline binary target"},
    {"Fixes", "diff dry-run dry_run export-fixes fix"},
    {"Output",
     "color exit-zero format output quiet require-complete statistics url-template verbose report"},
    {"Reading",
     "cache cache-read-only depfile facts-out j memory-limit no-cache no-sandbox no-shared-pch "
     "time-limit total-memory-limit total-time-limit"},
};

struct ExamplesOfCommand {
  llvm::StringRef Words;
  llvm::ArrayRef<HelpExample> Examples;
};

constexpr HelpExample Start[] = {
    {"opsig check", "check the project in this folder; no configuration is needed"},
    {"opsig check --fix csrc", "apply all fixes that are certain, in the files below csrc"},
    {"opsig explain opsig-kernel-signature", "print what a finding means and how to fix it"},
    {"opsig show add.Tensor", "print the signatures of an operator"},
};
constexpr HelpExample Check[] = {
    {"opsig check", "check the project in this folder"},
    {"opsig check csrc -- -std=c++20 -Iinclude", "check a folder with these compiler flags"},
    {"opsig check -p build --backend demo.yaml --fix",
     "check and fix a backend, with the flags of build/compile_commands.json"},
    {"opsig check --format sarif --output opsig.sarif .", "write a SARIF report for a code host"},
};
constexpr HelpExample Show[] = {
    {"opsig show add.Tensor", "print the signatures of one operator"},
    {"opsig show 'add*' --format json", "print all operators that match a pattern as JSON lines"},
    {"opsig show 'f(Tensor x, float? s) -> Tensor'",
     "print the C++ and Python signatures of a schema of your own"},
    {"opsig show my_ops::scale csrc my_package",
     "list where these files define an operator and register kernels for it"},
    {"opsig show --plan add.Tensor", "print what `gen aten` generates for an operator, and why"},
};
constexpr HelpExample Sync[] = {
    {"opsig sync --backend demo.yaml Demo.h Demo.cpp -- -std=c++17",
     "edit the files so that they agree with the YAML"},
    {"opsig sync --dry-run --backend demo.yaml Demo.h Demo.cpp -- -std=c++17",
     "print the edits as a patch"},
};
constexpr HelpExample Diff[] = {
    {"opsig diff OLD NEW", "list what changes between two PyTorch releases"},
    {"opsig diff --only breaking OLD NEW csrc/ops.cpp -- -std=c++17",
     "list what breaks these kernels"},
    {"opsig diff --since v1.0 csrc my_package",
     "list what changed in a project's own operators since a git revision"},
    {"opsig diff --since v1.0 --only breaking",
     "exit with status 1 if calls to a project's own operators break"},
};
constexpr HelpExample Coverage[] = {
    {"opsig coverage --backend demo.yaml --missing", "list the operators without a kernel"},
    {"opsig coverage --format html --output coverage.html csrc", "write an HTML page"},
};
constexpr HelpExample Stabilize[] = {
    {"opsig stabilize --report csrc/*.cpp -- -std=c++20",
     "list what prevents these files from using the stable ABI"},
    {"opsig stabilize --dry-run csrc/*.cpp -- -std=c++20", "print the edits as a patch"},
};
constexpr HelpExample Upgrade[] = {
    {"opsig upgrade --report csrc", "list uses of C++ APIs that this PyTorch no longer has"},
    {"opsig upgrade --dry-run csrc", "print the edits as a patch"},
    {"opsig upgrade csrc", "apply the edits"},
};
constexpr HelpExample GenAten[] = {
    {"opsig gen aten --install_dir out --per-operator-headers", "write PyTorch's ATen sources"},
    {"opsig gen aten --install_dir out --stamp out/stamp",
     "write the files only if an input changed"},
};
constexpr HelpExample GenBackend[] = {
    {"opsig gen backend --source_yaml demo.yaml --output_dir gen",
     "write declarations, wrappers and registrations of a backend"},
    {"opsig gen backend --source_yaml demo.yaml --output_dir gen --dry_run", "check the YAML only"},
};
constexpr HelpExample GenPython[] = {
    {"opsig gen python native_functions.yaml tags.yaml out tools/autograd",
     "write PyTorch's Python bindings"},
    {"opsig gen python --module demo_ops --ops add,sub.Tensor out",
     "write an extension module of these operators"},
};
constexpr HelpExample GenStubs[] = {
    {"opsig gen stubs csrc my_package --output my_package/_ops.pyi --module",
     "write typed stubs of a project's operators, and the Python module that the stubs describe"},
};
constexpr HelpExample Explain[] = {
    {"opsig explain opsig-kernel-signature", "print the page of a check"},
    {"opsig explain --list '*-alias-*'", "list the checks that match a pattern"},
};
constexpr HelpExample Config[] = {
    {"opsig config csrc/ops.cpp", "print the settings in effect for a file"},
};
constexpr HelpExample Cache[] = {
    {"opsig cache show", "print where the cache is and how large it is"},
    {"opsig cache clear", "remove the cache"},
};
constexpr HelpExample Help[] = {
    {"opsig help check", "list the options of `opsig check`"},
    {"opsig help --man check", "print the man page of `opsig check`"},
    {"opsig help --completion bash", "print a completion script for a shell"},
};

constexpr ExamplesOfCommand ExampleTable[] = {
    {"", Start},
    {"check", Check},
    {"show", Show},
    {"sync", Sync},
    {"diff", Diff},
    {"coverage", Coverage},
    {"stabilize", Stabilize},
    {"upgrade", Upgrade},
    {"gen aten", GenAten},
    {"gen backend", GenBackend},
    {"gen python", GenPython},
    {"gen stubs", GenStubs},
    {"explain", Explain},
    {"config", Config},
    {"cache", Cache},
    {"help", Help},
};

constexpr std::pair<llvm::StringRef, llvm::StringRef> FindingsTable[] = {
    {"check", "findings were reported"},
    {"sync", "a difference could not be fixed by an edit"},
    {"coverage", "the YAML of a backend has errors"},
    {"diff", "with --since and --only breaking: changes that break calls were found"},
    {"stabilize", "some code must be converted by hand"},
    {"upgrade", "opsig did not make a needed edit, or --dry-run or --report found edits to make"},
    {"gen backend", "the YAML of the backend has errors"},
};

} // namespace

llvm::ArrayRef<llvm::StringRef> optionGroups() { return Groups; }

llvm::StringRef optionGroup(llvm::StringRef Option) {
  for (const GroupOfOption &Row : OptionTable)
    if (llvm::is_contained(llvm::split(Row.Options, ' '), Option))
      return Row.Group;
  return Groups[0];
}

llvm::ArrayRef<HelpExample> helpExamples(llvm::StringRef Words) {
  for (const ExamplesOfCommand &Row : ExampleTable)
    if (Row.Words == Words)
      return Row.Examples;
  return {};
}

llvm::StringRef findingsStatus(llvm::StringRef Words) {
  for (const auto &[Command, Meaning] : FindingsTable)
    if (Command == Words)
      return Meaning;
  return "";
}

} // namespace opsig

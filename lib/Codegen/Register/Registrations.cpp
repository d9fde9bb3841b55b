//===- Registrations.cpp - Register<Key>.cpp --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// key => groups => plans of their functions => blocks (a kernel namespace each) => file or shards
//
//===----------------------------------------------------------------------===//
#include "Register/RegistrationPlanInternal.h"
#include "opsig/Dialect/OutputTraits.h"
#include "opsig/Support/SchemaFindingIds.h"
#include <deque>

using namespace llvm;

namespace opsig {

namespace {

/// CPU has by far the most functions.
constexpr unsigned CpuShards = 4;

constexpr Template DirectText = R"(
${signature} {
return ${wrapper}(${args});
}
)";

/// The C++ functions that go past the dispatcher, to a wrapper.
struct DirectFunctions {
  CppSignatures Forms;
  std::string Wrapper;
  std::vector<std::string> Args; ///< of each form
};

/// What goes into the block of one kernel namespace.
struct Block {
  std::string Namespace;
  /// Neither can be moved without a copy, so that a vector that grows would copy all of them.
  std::deque<KeyCode> Codes;
  std::deque<DirectFunctions> Direct;
  /// Numbers of the Codes that are registered, all of the operators of one namespace.
  std::vector<size_t> Registered;
  StringRef RegisteredFor;
};

/// One key's file.
class RegistrationFile {
public:
  RegistrationFile(const AtenInput &In, DispatchKey Key, FileWriter &Out)
      : In(In), D(In.dialect()), Key(Key), Out(Out),
        C{indexOrNone(In, Key), In.dialect(), "", In.Options.Rocm} {}

  void add();

private:
  void addGroup(const FunctionOrGroup &G, std::vector<Block> &Blocks);
  void addFunction(KeyFunction F, Block &B);
  void printBlocks(std::string &To, ArrayRef<Block> Blocks) const;

  std::vector<std::string> helpers(HelperPlace At) const;
  std::vector<std::string> operatorHeaders() const;
  bool hasFunctionsHeader() const { return is_contained(In.FunctionKeys, Key); }

  const AtenInput &In;
  const Dialect &D;
  DispatchKey Key;
  FileWriter &Out;
  WrapperContext C;
};

//===-- Blocks --------------------------------------------------------------===//

void RegistrationFile::addFunction(KeyFunction F, Block &B) {
  const NativeFunction &Of = *F.Function;
  FirstError Failed;
  KeyCode Code = planKeyCode(std::move(F), C, Failed);
  DirectFunctions Direct{cppSignatures(Of, CppForm(), Lowering::of(Of, D)), Code.Own.Name, {}};
  for (const Signature *Form : Direct.Forms.all())
    Direct.Args.push_back(argumentsFor(Code.Own.Params, Form->Params, D, Failed));
  if (Failed) {
    std::string Op = Of.Schema.Name.str();
    Out.diags()
        .report(finding::RegistrationWrapper, Of.Entry,
                "cannot generate a {1} wrapper for '{0}': {2}", Op, toString(Key), *Failed.Why)
        .op(Op);
    return;
  }
  if (In.Selected.isSelected(Of))
    B.Registered.push_back(B.Codes.size());
  B.Codes.push_back(std::move(Code));
  B.Direct.push_back(std::move(Direct));
}

void RegistrationFile::addGroup(const FunctionOrGroup &G, std::vector<Block> &Blocks) {
  std::string Namespace = without("::native", kernelNamespace(G, C.Index).str());
  auto B = find_if(Blocks, [&](const Block &B) { return B.Namespace == Namespace; });
  if (B == Blocks.end())
    B = Blocks.insert(B, Block{.Namespace = std::move(Namespace)});
  // A block registers for one namespace of operators; when the next comes, torchgen drops what the
  // former had.
  StringRef OperatorNamespace = functionsOf(G).front()->Namespace;
  if (B->RegisteredFor != OperatorNamespace) {
    B->Registered.clear();
    B->RegisteredFor = OperatorNamespace;
  }
  for (KeyFunction &F : planKeyFunctions(G, C.Index))
    addFunction(std::move(F), *B);
}

void RegistrationFile::printBlocks(std::string &To, ArrayRef<Block> Blocks) const {
  for (const Block &B : Blocks) {
    if (B.Direct.empty())
      continue;
    std::vector<const KeyCode *> Registered;
    for (size_t I : B.Registered)
      Registered.push_back(&B.Codes[I]);
    if (In.Options.SkipDispatcherOpRegistration)
      Registered.clear();
    auto Define = [&](std::string &To, const KeyCode &Code) { printDefinition(To, Code, C); };
    auto DefineDirect = [&](std::string &To, const DirectFunctions &Of) {
      for (auto [Form, Args] : zip(Of.Forms.all(), Of.Args))
        print<DirectText>(To, "signature"_hole = Form->defn(D), "wrapper"_hole = Of.Wrapper,
                          "args"_hole = Args);
    };
    size_t Begin = To.size();
    Out.print(
        {"RegisterDispatchDefinitions.ini"}, To,
        frame("dispatch_helpers"_hole = helpers(HelperPlace::KernelNamespace),
              "deferred_dispatch_registrations"_hole = "",
              "dispatch_namespace"_hole = toLower(Key)),
        "ns_prologue"_hole = openNamespaces(B.Namespace),
        "ns_epilogue"_hole = closeNamespaces(B.Namespace),
        "dispatch_anonymous_definitions"_hole = each(B.Codes, Define),
        "static_init_dispatch_registrations"_hole =
            [&](std::string &To) {
              if (!Registered.empty())
                printLibraryBlock(To, B.RegisteredFor, Registered, C);
            },
        "dispatch_namespaced_definitions"_hole = each(B.Direct, DefineDirect));
    removeEmptyLines(To, Begin);
  }
}

//===-- Files ---------------------------------------------------------------===//

std::vector<std::string> RegistrationFile::helpers(HelperPlace At) const {
  // Nothing there uses them, and an unused function is a warning.
  if (D.Output.Helpers != At || Key == DispatchKey::CompositeImplicitAutogradNestedTensor)
    return {};
  return registrationHelpers(C.Index.Key, D);
}

std::vector<std::string> RegistrationFile::operatorHeaders() const {
  bool CallsOut = Key == DispatchKey::CompositeExplicitAutogradNonFunctional;
  std::vector<std::string> Headers;
  if (!In.Options.PerOperatorHeaders) {
    Headers.push_back("#include <ATen/NativeFunctions.h>");
    if (CallsOut)
      Headers.push_back("#include <ATen/Functions.h>");
    if (hasFunctionsHeader())
      Headers.push_back(functionsInclude(Key));
    return Headers;
  }
  for (const FunctionOrGroup &G : In.Ops.Grouped) {
    if (!isRegistered(G, C.Index, Key))
      continue;
    Headers.push_back(opInclude(rootName(G), "_native"));
    if (CallsOut)
      Headers.push_back(opInclude(rootName(G), ""));
    if (hasFunctionsHeader())
      Headers.push_back(opInclude(rootName(G), dispatchSuffix(Key)));
  }
  sort(Headers);
  Headers.erase(unique(Headers), Headers.end());
  return Headers;
}

void RegistrationFile::add() {
  const AtenOptions &Options = In.Options;
  auto AddFile = [&](const FileSpec &Spec, std::optional<StringRef> ShardId,
                     const auto &Definitions) {
    Out.add(Spec,
            frame("extra_cuda_headers"_hole =
                      isCudaKey(Key) ? cudaHeaders(Options.Rocm, D.Output) : std::string(),
                  "external_backend_headers"_hole = "", "shard_id"_hole = ShardId,
                  "dispatch_helpers"_hole = helpers(HelperPlace::FileTop)),
            "dispatch_headers"_hole =
                registrationHeaders(C.Index.Key, D, {Options.PerOperatorHeaders, Options.Rocm}),
            "ops_headers"_hole = operatorHeaders(), "dispatch_definitions"_hole = Definitions);
  };
  FileSpec Spec{("Register" + toString(Key) + ".cpp").str(), "RegisterDispatchKey.cpp",
                FileFolder::Main, listOfKey(Key)};
  if (!D.Output.ShardsRegistrations) {
    std::vector<Block> Blocks;
    for (const FunctionOrGroup &G : In.Ops.Grouped)
      addGroup(G, Blocks);
    return AddFile(Spec, std::nullopt, [&](std::string &To) { printBlocks(To, Blocks); });
  }
  struct Item {
    StringRef Root;
    std::string Text;
  };
  std::vector<Item> Items;
  for (const FunctionOrGroup &G : In.Ops.Grouped) {
    std::vector<Block> Blocks;
    addGroup(G, Blocks);
    Item I{rootName(G), ""};
    printBlocks(I.Text, Blocks);
    if (!I.Text.empty())
      Items.push_back(std::move(I));
  }
  Out.addShards(
      Spec, Items, Key == DispatchKey::CPU ? CpuShards : 1, [](const Item &I) { return I.Root; },
      [&](const Shard<Item> &S) {
        AddFile(S.Spec, S.Id, each(S.Items, [](const Item *I) -> StringRef { return I->Text; }));
      });
}

} // namespace

void removeEmptyLines(std::string &Text, size_t Begin) {
  endLine(Text, Begin);
  char *To = Text.data() + Begin;
  // From one empty line to the next at a time.
  for (StringRef Rest = StringRef(Text).substr(Begin).ltrim('\n'); !Rest.empty();) {
    StringRef Lines = Rest.take_front(std::string_view(Rest).find("\n\n"));
    Rest = Rest.drop_front(Lines.size()).ltrim('\n');
    Lines.consume_back("\n");
    std::memmove(To, Lines.data(), Lines.size());
    To += Lines.size();
    *To++ = '\n';
  }
  Text.resize(To - Text.data());
}

void generateRegistrations(const AtenInput &In, FileWriter &Out) {
  size_t NumBefore = Out.diags().size();
  for (DispatchKey Key : In.Keys) {
    RegistrationFile(In, Key, Out).add();
    if (Out.diags().size() != NumBefore)
      return; // The other keys would say the same of the same templates and operators.
  }
}

} // namespace opsig

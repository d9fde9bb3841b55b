//===- SchemaReport.cpp - What `opsig show` says of a schema of one's own ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Terminal.h"
#include "show/OpReport.h"
#include "show/SchemaReport.h"
#include "opsig/Check/AutogradFormula.h"
#include "opsig/Check/KernelSkeleton.h"
#include "opsig/Codegen/OperatorStubs.h"
#include "opsig/Dialect/LibraryTraits.h"
#include "opsig/Schema/InplaceName.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

namespace opsig {

namespace {

std::string quoted(const std::string &Text) { return "'" + Text + "'"; }

class SchemaReporter {
public:
  SchemaReporter(FunctionSchema Of, const ShownRelease &In) : S(std::move(Of)), In(In) {
    Namespace = S.Name.Name.Namespace.empty() ? "ns" : S.Name.Name.Namespace;
    S.Name.Name.Namespace.clear();
    Function = S.Name.unambiguous();
  }

  SchemaReport make() {
    Out.Name = Namespace + "::" + S.operatorName();
    Out.Schema = Namespace + "::" + S.str();
    addKernel({"kernel", "C++ kernel", "", ""}, Function, KernelInterface::Dispatcher);
    addDispatcher();
    addKernel({"meta", "C++ Meta kernel", "", ""}, Function + "_meta", KernelInterface::Dispatcher);
    addStable();
    addAutograd();
    addPython();
    return std::move(Out);
  }

private:
  /// In the dispatcher's own convention where that has the types, so that typed<...> fits it.
  std::optional<std::string> kernel(const std::string &Name, KernelInterface Interface) const {
    bool IsOpen = S.VarArgs || S.VarReturns;
    if (Interface == KernelInterface::Dispatcher && !IsOpen && !whyNotLowerable(S, In.D))
      return dispatcherSignature(S, {&In.D}).defn(In.D, Name);
    return kernelSkeleton(S, Name, Interface, In.D);
  }

  void addKernel(ShownForm Form, const std::string &Name, KernelInterface Interface) {
    if (std::optional<std::string> Text = kernel(Name, Interface))
      Form.Text = *Text;
    else
      Form.Why = whyNoKernel(Interface);
    Out.Cpp.push_back(std::move(Form));
  }

  /// The first part of the schema for which a kernel with nothing else cannot be written.
  std::string whyNoKernel(KernelInterface Interface) const {
    if (S.VarArgs || S.VarReturns)
      return "'...' needs a boxed kernel";
    auto Lacks = [&](const Argument &A, bool IsReturn) {
      FunctionSchema One;
      IsReturn ? One.Returns.push_back(A) : One.Args.All.push_back(A);
      return !kernelSkeleton(One, "f", Interface, In.D);
    };
    std::string Whose = Interface == KernelInterface::Stable ? " in the stable ABI" : "";
    for (const Argument &A : S.Args.All)
      if (Lacks(A, false))
        return "no C++ type" + Whose + " for " + quoted(A.Ty.str()) + " of " + quoted(A.Name);
    for (const Argument &R : S.Returns)
      if (Lacks(R, true))
        return "no C++ type" + Whose + " for the return " + quoted(R.Ty.str());
    return "no C++ type" + Whose;
  }

  /// How code calls it through the dispatcher.
  void addDispatcher() {
    ShownForm Form{"dispatcher", "C++ call, typed<...>", "", ""};
    if (S.VarArgs || S.VarReturns)
      Form.Why = "'...' needs a boxed call";
    else if (std::optional<std::string> Why = whyNotLowerable(S, In.D))
      Form.Why = *Why;
    else
      Form.Text = dispatcherSignature(S, {&In.D}).type(In.D);
    Out.Cpp.push_back(std::move(Form));
  }

  void addStable() {
    ShownForm Form{"stable", "stable ABI kernel", "", ""};
    if (In.HasStable)
      return addKernel(std::move(Form), Function, KernelInterface::Stable);
    Form.Why = "PyTorch " + In.Name + " has no stable ABI for kernels";
    Out.Cpp.push_back(std::move(Form));
  }

  static bool isTensor(const Type &T) { return T.is(BaseTy::Tensor); }

  /// What forward() returns; "" where no such class can serve the operator.
  std::string forwardReturns() const {
    bool AreTensors = llvm::all_of(S.Returns, [](const Argument &R) { return isTensor(R.Ty); });
    if (S.Returns.size() == 1 && AreTensors)
      return "at::Tensor";
    bool IsList = S.Returns.size() == 1 && S.Returns[0].Ty == Type(BaseTy::Tensor).list();
    return AreTensors || IsList ? "torch::autograd::variable_list" : "";
  }

  /// The functions of a torch::autograd::Function, which a kernel for Autograd calls.
  void addAutograd() {
    ShownForm Forward{"autograd_forward", "C++ autograd forward", "", ""};
    ShownForm Backward{"autograd_backward", "C++ autograd backward", "", ""};
    std::optional<std::string> Kernel = kernel("forward", KernelInterface::Dispatcher);
    std::string Returns = forwardReturns();
    Forward.Why = whyNoAutogradFormula(S);
    if (Forward.Why.empty() && !Kernel)
      Forward.Why = whyNoKernel(KernelInterface::Dispatcher);
    if (Forward.Why.empty() && Returns.empty())
      Forward.Why = "a torch::autograd::Function returns tensors only";
    if (!Forward.Why.empty()) {
      Out.Cpp.push_back(std::move(Forward));
      return;
    }
    auto [Head, List] = llvm::StringRef(*Kernel).split('(');
    bool IsEmpty = List == ")";
    Forward.Text = ("static " + Returns + " forward(torch::autograd::AutogradContext * ctx" +
                    (IsEmpty ? "" : ", ") + List)
                       .str();
    Backward.Text = "static torch::autograd::variable_list backward(torch::autograd::"
                    "AutogradContext * ctx, torch::autograd::variable_list grads)";
    Out.Cpp.push_back(std::move(Forward));
    Out.Cpp.push_back(std::move(Backward));
  }

  bool hasApi(llvm::StringRef Name) const { return llvm::is_contained(In.D.Library.Names, Name); }

  /// "torch.ops.ns.f.out".
  std::string pythonName() const {
    return "torch.ops." + Namespace + "." + S.Name.Name.str() +
           (S.Name.Overload.empty() ? "" : "." + S.Name.Overload);
  }

  void addPython() {
    std::string Form = pythonForm(S, In.HasSymbols);
    Out.Python.push_back({"call", "Python call", pythonName() + Form, ""});
    std::string Api = "@torch.library.impl(lib, \"" + S.operatorName() + "\", \"Meta\")";
    for (llvm::StringRef Name : {"impl_abstract", "register_fake"})
      if (hasApi(Name))
        Api = ("@torch.library." + Name + "(\"" + Out.Name + "\")").str();
    Out.Python.push_back({"fake_api", "Python fake", Api, ""});
    Out.Python.push_back({"fake", "", "def " + Function + "_fake" + Form, ""});
    addFormula();
  }

  void addFormula() {
    ShownForm Api{"autograd_api", "Python autograd", "", whyNoAutogradFormula(S)};
    if (Api.Why.empty() && !hasApi("register_autograd"))
      Api.Why = "PyTorch " + In.Name +
                " has no torch.library.register_autograd; write a "
                "torch.autograd.Function";
    if (!Api.Why.empty()) {
      Out.Python.push_back(std::move(Api));
      return;
    }
    Api.Text = "torch.library.register_autograd(\"" + Out.Name +
               "\", backward, setup_context=setup_context)";
    Out.Python.push_back(std::move(Api));
    std::vector<std::string> Grads, Gives;
    for (size_t I = 0; I < S.Returns.size(); ++I)
      Grads.push_back(S.Returns.size() == 1 ? "grad" : "grad_" + std::to_string(I + 1));
    bool HasKeywords = false;
    for (const Argument &A : S.Args.All) {
      HasKeywords |= S.Args.isKeywordOnly(A);
      if (!S.Args.isKeywordOnly(A))
        Gives.push_back(A.Ty.isTensorLike() ? "grad_" + A.Name : "None");
    }
    Out.Gradients = Gives.size();
    Out.Python.push_back({"setup_context", "",
                          HasKeywords
                              ? "def setup_context(ctx, inputs, keyword_only_inputs, output)"
                              : "def setup_context(ctx, inputs, output)",
                          ""});
    Out.Python.push_back({"backward", "",
                          "def backward(ctx, " + llvm::join(Grads, ", ") + ")  # returns " +
                              (Gives.empty() ? "None" : llvm::join(Gives, ", ")),
                          ""});
  }

  FunctionSchema S;
  const ShownRelease &In;
  std::string Namespace, Function;
  SchemaReport Out;
};

} // namespace

std::optional<FunctionSchema> readShownSchema(llvm::StringRef Text, const Dialect &D,
                                              llvm::raw_ostream &Log) {
  SchemaErrors Errors, Remarks;
  std::optional<FunctionSchema> S =
      parseScriptSchema(Text, grammarOf(D), scriptRulesOf(D), Errors, Remarks);
  SourceFiles Files;
  SourceId File = Files.add("schema", Text.str());
  Findings Found;
  for (const SchemaError &E : llvm::concat<const SchemaError>(Errors, Remarks)) {
    Finding &F = Found.add(E.Id, Files.placeAt(File, E.Offset, E.Length), E.Message);
    if (E.SuggestionOffset == E.Offset && E.SuggestionLength == E.Length)
      F.Hint = E.Suggestion;
  }
  if (UnwrittenSelf Unwritten = S ? unwrittenSelf(*S) : UnwrittenSelf()) {
    const TextRange At = Unwritten.Self->TypeAt;
    Found
        .add(finding::InplaceSelfNotWritten, Files.placeAt(File, At.Offset, At.Length),
             unwrittenSelfMessage(*S, *Unwritten.Self))
        .Severity = Level::Warning;
  }
  for (const Finding &F : Found.all())
    printText(Log, F, Files, printOptions(Log));
  return S;
}

SchemaReport schemaReport(FunctionSchema S, const ShownRelease &In) {
  return SchemaReporter(std::move(S), In).make();
}

static void printForms(llvm::json::OStream &J, llvm::StringRef Name,
                       llvm::ArrayRef<ShownForm> Forms) {
  J.attributeObject(Name, [&] {
    for (const ShownForm &F : Forms)
      if (F.Why.empty())
        J.attribute(F.Id, utf8(F.Text));
      else
        J.attribute(F.Id, nullptr);
    J.attributeObject("missing", [&] {
      for (const ShownForm &F : Forms)
        if (!F.Why.empty())
          J.attribute(F.Id, utf8(F.Why));
    });
  });
}

void printJson(llvm::raw_ostream &OS, const SchemaReport &R) {
  llvm::json::OStream J(OS);
  J.object([&] {
    J.attribute("op", utf8(R.Name));
    J.attribute("schema", utf8(R.Schema));
    printForms(J, "cpp", R.Cpp);
    printForms(J, "python", R.Python);
    if (R.Gradients)
      J.attribute("gradients", R.Gradients);
  });
  J.flush();
  OS << '\n';
}

void printText(llvm::raw_ostream &OS, const SchemaReport &R) {
  printTitle(OS, R.Schema);
  for (const ShownForm &F : llvm::concat<const ShownForm>(R.Cpp, R.Python))
    printRow(OS, F.Label, F.Why.empty() ? F.Text : "none: " + F.Why);
}

} // namespace opsig

//===- OperatorTable.cpp - what calls of operators do -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Effects/EffectsInternal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

OperatorTable::OperatorTable(const Operators &Ops) : D(*Ops.D) {
  for (const NativeFunction &F : Ops.Functions) {
    if (F.Namespace != "aten")
      continue;
    SmallVector<std::string, 4> Names;
    for (bool Faithful : {false, true})
      for (bool SymInt : {false, true})
        if (std::string Name = cppName(F.Schema, Faithful, SymInt); !is_contained(Names, Name))
          Names.push_back(std::move(Name));
    for (const std::string &Name : Names)
      ByName[Name].push_back(&F);
    std::string Struct = F.Schema.Name.str();
    std::replace(Struct.begin(), Struct.end(), '.', '_');
    ByStruct[Struct] = &F;
    StringSet<> Kernels;
    for (const KernelEntry &Entry : F.Dispatch)
      if (Kernels.insert(Entry.CppNamespace + "::" + Entry.Kernel).second)
        ByKernel[Entry.CppNamespace + "::" + Entry.Kernel].push_back(&F);
  }
}

/// at::add, at::Tensor::add, at::cpu::add, torch::stable::add are operators; at::native::add may be
/// anything of that name.
static std::optional<StringRef> operatorName(StringRef Callee, bool &Method) {
  if (Callee.consume_front("torch::stable::"))
    return Callee.contains("::") ? std::nullopt : std::optional(Callee);
  if (!Callee.consume_front("at::"))
    return std::nullopt;
  Method = Callee.consume_front("Tensor::") || Callee.consume_front("TensorBase::");
  if (!Method)
    for (StringRef Namespace :
         {"redispatch::", "cpu::", "cuda::", "meta::", "compositeexplicitautograd::",
          "compositeimplicitautograd::", "compositeexplicitautogradnonfunctional::"})
      if (Callee.consume_front(Namespace))
        break;
  if (Callee.contains("::"))
    return std::nullopt;
  return Callee;
}

/// The function takes exactly the tensors that the callee does, by name.
static bool takesTensorsOf(const NativeFunction &F, const FlowCall &Call, bool Method) {
  std::vector<StringRef> Expected, Got(Call.TensorParams.begin(), Call.TensorParams.end());
  for (const Argument &A : F.Schema.Args.All)
    if (A.Ty.isTensorLike() && !(Method && A.Name == "self"))
      Expected.push_back(A.Name);
  llvm::sort(Expected);
  llvm::sort(Got);
  return Expected == Got;
}

/// The callee is the function's C++ API, in one of its forms.
static bool isCalledAs(const NativeFunction &F, const FlowCall &Call, bool Method,
                       const TypeNames &Names, const Dialect &D) {
  if (whyNotLowerable(F.Schema, D))
    return false;
  CppSignatures Forms = cppSignatures(F, {.Method = Method}, Lowering::of(F, D));
  return any_of(Forms.all(), [&](const Signature *S) {
    if (S->Params.size() != Call.ParamTypes.size())
      return false;
    return all_of(zip(S->Params, Call.ParamTypes), [&](auto Pair) {
      auto &[Param, Type] = Pair;
      return Names.same(Param.Type.Ty, Type);
    });
  });
}

/// "torch.add_" and "torch.Tensor.add_", as Python code calls operators.
static bool isPythonCall(StringRef Callee) { return Callee.starts_with("torch."); }

/// Python chooses an overload by the values: each one may be meant that has the names of the
/// arguments. Those of named dimensions are left out, which nobody uses.
static bool mayBeCalledSo(const NativeFunction &F, const FlowCall &Call) {
  auto HasName = [&](const std::string &Name) {
    return any_of(F.Schema.Args.All, [&](const Argument &A) { return A.Name == Name; });
  };
  bool IsNamed = any_of(F.Schema.Args.All, [](const Argument &A) {
    return StringRef(A.Ty.str()).starts_with("Dimname");
  });
  return !IsNamed && all_of(Call.TensorParams, HasName);
}

std::vector<const NativeFunction *> OperatorTable::candidates(const FlowCall &Call,
                                                              const TypeNames &Names) const {
  std::vector<const NativeFunction *> Found;
  if (isPythonCall(Call.Callee)) {
    if (auto Named = ByName.find(StringRef(Call.Callee).rsplit('.').second); Named != ByName.end())
      copy_if(Named->second, std::back_inserter(Found),
              [&](const NativeFunction *F) { return mayBeCalledSo(*F, Call); });
    return Found;
  }
  if (auto Kernel = ByKernel.find(Call.Callee); Kernel != ByKernel.end()) {
    copy_if(Kernel->second, std::back_inserter(Found),
            [&](const NativeFunction *F) { return takesTensorsOf(*F, Call, false); });
    return Found;
  }
  bool Method = false;
  std::optional<StringRef> Name = operatorName(Call.Callee, Method);
  auto Named = Name ? ByName.find(*Name) : ByName.end();
  if (Named == ByName.end())
    return Found;
  copy_if(Named->second, std::back_inserter(Found),
          [&](const NativeFunction *F) { return takesTensorsOf(*F, Call, Method); });
  std::vector<const NativeFunction *> Exact;
  copy_if(Found, std::back_inserter(Exact),
          [&](const NativeFunction *F) { return isCalledAs(*F, Call, Method, Names, D); });
  if (!Exact.empty())
    return Exact;
  // An overload of a method that is written by hand forwards to its namesakes.
  if (Found.empty() && Method && Name->ends_with("_"))
    return Named->second;
  return Found;
}

/// Whether the operator returns a view whenever its schema has one. What is composed of other
/// operators may come down to a copy, as reshape and contiguous do.
static bool alwaysShares(const NativeFunction &F) {
  return any_of(F.Dispatch, [](const KernelEntry &Entry) {
    return !toString(Entry.Key).starts_with("CompositeImplicitAutograd");
  });
}

/// Operators that return the argument itself, not a view of it, where they have nothing to do.
/// flatten is none of them: it does so only for one dimension, which Python bodies tell apart.
static bool mayReturnItself(const NativeFunction &F) {
  static constexpr StringLiteral Names[] = {"contiguous",   "to",          "real",    "conj",
                                            "resolve_conj", "resolve_neg", "positive"};
  return is_contained(Names, F.Schema.Name.Name.Base);
}

/// Operators of one tensor that return it where they have nothing to do, although the schema has no
/// alias annotation.
static bool mayReturnSelf(const NativeFunction &F) {
  static constexpr StringLiteral Names[] = {"type_as", "sum_to_size", "atleast_1d", "atleast_2d",
                                            "atleast_3d"};
  return is_contained(Names, F.Schema.Name.Name.Base) && !F.Schema.Args.All.empty() &&
         F.Schema.Args.All.front().Ty.str() == "Tensor";
}

/// What only Python has: conversions that do what `to` does, and have no schema.
static bool isPythonConversion(StringRef Callee) {
  if (Callee == "torch.as_tensor")
    return true;
  static constexpr StringLiteral Names[] = {
      "float", "double", "half",   "bfloat16", "int",   "long", "short", "char",
      "byte",  "bool",   "cfloat", "cdouble",  "chalf", "type", "cpu",   "cuda"};
  return Callee.consume_front("torch.Tensor.") && is_contained(Names, Callee);
}

static bool shareSet(const AliasAnnotation &A, const AliasAnnotation &B) {
  SmallVector<StringRef, 2> Others = aliasSets(B.Before);
  return any_of(aliasSets(A.Before), [&](StringRef Set) { return is_contained(Others, Set); });
}

StringRef opsig::unsaidDestination(const NativeFunction &F) {
  std::string Name = F.Schema.Name.str();
  bool Copies = Name == "_copy_from" || Name == "_copy_from_and_resize";
  return F.Namespace == "aten" && Copies ? "dst" : "";
}

/// Adds the arguments that \p R shares memory with by its annotation, \p Always or sometimes, and
/// perhaps as the \p Same tensor. One that is written is always the same.
static void addAnnotated(const FunctionSchema &Schema, const Return &R, bool Always, bool Same,
                         std::vector<SharedArgument> &Shared) {
  for (const Argument &A : Schema.Args.All)
    if (R.Annotation && A.Annotation && shareSet(*A.Annotation, *R.Annotation))
      Shared.push_back({A.Name, R.isWrite() || Always, R.isWrite(), R.isWrite() || Same});
  for (SharedArgument &S : Shared)
    S.OfTensor = R.Ty.str() == "Tensor";
}

static CallEffect effectOf(const NativeFunction &F) {
  CallEffect Out;
  Out.Known = true;
  StringRef Destination = unsaidDestination(F);
  if (!Destination.empty())
    Out.Written.push_back(Destination.str());
  for (const Argument &A : F.Schema.Args.All) {
    // Bound by hand: what autograd keeps beside the tensor, as requires_grad_ changes it.
    if (!A.isWrite() || F.ManualCppBinding)
      continue;
    (F.hasTag("inplace_view") ? Out.Reshaped : Out.Written).push_back(A.Name);
  }
  for (const Return &R : F.Schema.Returns) {
    std::vector<SharedArgument> &Shared = Out.Returns.emplace_back();
    if (!Destination.empty())
      Shared.push_back({Destination.str(), /*Certain=*/true, /*Same=*/true, /*MaySame=*/true});
    if (mayReturnSelf(F))
      Shared.push_back({F.Schema.Args.All.front().Name, /*Certain=*/false, /*Same=*/false,
                        /*MaySame=*/true});
    addAnnotated(F.Schema, R, alwaysShares(F), mayReturnItself(F), Shared);
  }
  return Out;
}

CallEffect opsig::effectOfSchema(const FunctionSchema &Schema) {
  CallEffect Out;
  Out.Known = true;
  Out.Name = Schema.Name.str();
  if (size_t Colons = Out.Name.find("::"); Colons != std::string::npos)
    Out.Name.erase(0, Colons + 2);
  for (const Argument &A : Schema.Args.All) {
    Out.Args.push_back(A.Name);
    if (A.isWrite())
      Out.Written.push_back(A.Name);
  }
  for (const Return &R : Schema.Returns)
    addAnnotated(Schema, R, /*Always=*/false, /*Same=*/true, Out.Returns.emplace_back());
  return Out;
}

static void keepCommon(std::vector<std::string> &Names, const std::vector<std::string> &Others) {
  erase_if(Names, [&](const std::string &Name) { return !is_contained(Others, Name); });
}

/// What both do; what only one of them shares is not certain.
static void mergeInto(CallEffect &Into, const CallEffect &Other) {
  keepCommon(Into.Written, Other.Written);
  keepCommon(Into.Reshaped, Other.Reshaped);
  Into.Returns.resize(std::min(Into.Returns.size(), Other.Returns.size()));
  for (auto [Mine, Theirs] : zip(Into.Returns, Other.Returns)) {
    auto Find = [](std::vector<SharedArgument> &In, StringRef Arg) {
      return find_if(In, [&](const SharedArgument &S) { return S.Arg == Arg; });
    };
    std::vector<SharedArgument> Rest = Theirs;
    for (SharedArgument &S : Mine) {
      auto It = Find(Rest, S.Arg);
      S.Certain &= It != Rest.end() && It->Certain;
      S.Same &= It != Rest.end() && It->Same;
      S.MaySame |= It != Rest.end() && It->MaySame;
      S.OfTensor &= It == Rest.end() || It->OfTensor;
      S.OfList |= It != Rest.end() && It->OfList;
      if (It != Rest.end())
        Rest.erase(It);
    }
    for (SharedArgument &S : Rest) {
      S.Certain = false;
      Mine.push_back(std::move(S));
    }
  }
}

CallEffect OperatorTable::effectOf(const FlowCall &Call, const TypeNames &Names) const {
  CallEffect Out;
  for (const NativeFunction *F : candidates(Call, Names)) {
    CallEffect Own = ::effectOf(*F);
    if (!Out.Known)
      Out = std::move(Own);
    else
      mergeInto(Out, Own);
  }
  if (!Out.Known && isPythonConversion(Call.Callee)) {
    Out.Known = true;
    Out.Returns = {{{"self", /*Certain=*/false, /*Same=*/false, /*MaySame=*/true}}};
    Out.Returns.front().front().OfTensor = true;
    Out.Returns.front().front().OfList = Call.Callee != "torch.as_tensor";
  }
  if (Call.Callee == "torch.Tensor.select") // also what Python code writes as x[0]
    for (std::vector<SharedArgument> &Shared : Out.Returns)
      for (SharedArgument &S : Shared)
        S.Element = true;
  size_t Scope = Call.Callee.find_last_of(":.");
  Out.Name = Scope == std::string::npos ? Call.Callee : Call.Callee.substr(Scope + 1);
  return Out;
}

/// `at::_ops::add_Tensor::call` => "add_Tensor".
static std::optional<StringRef> structName(StringRef Callee) {
  if (Callee.consume_front("at::_ops::") && Callee.consume_back("::call"))
    return Callee;
  return std::nullopt;
}

const NativeFunction *OperatorTable::dispatchedTo(const FlowCall &Call,
                                                  const TypeNames &Names) const {
  if (std::optional<StringRef> Struct = structName(Call.Callee)) {
    auto Known = ByStruct.find(*Struct);
    return Known == ByStruct.end() ? nullptr : Known->second;
  }
  StringRef Callee = Call.Callee;
  bool Method = Callee.consume_front("at::Tensor::") || Callee.consume_front("at::TensorBase::");
  if (!Method && !Callee.consume_front("at::"))
    return nullptr;
  if (Callee.contains("::"))
    return nullptr; // at::redispatch::add, at::cpu::add
  const NativeFunction *Only = nullptr;
  for (const NativeFunction *F : candidates(Call, Names)) {
    // What is bound by hand may be no call of the dispatcher: is_complex() asks the tensor itself.
    if (F->ManualCppBinding || !isCalledAs(*F, Call, Method, Names, D))
      continue;
    if (Only)
      return nullptr;
    Only = F;
  }
  return Only;
}

//===- UnseenBlocks.cpp - Registrations that stand written and were not read ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/UnseenBlocks.h"
#include "opsig/Frontend/FlagErrors.h"
#include "opsig/Frontend/PythonRegistrations.h"
#include "opsig/Frontend/WrittenRegistrations.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

namespace opsig {

std::string shortReason(const UnitFacts &Unit) {
  if (!Unit.MissingHeaders.empty())
    return "'" + Unit.MissingHeaders.front() + "' was not found";
  // With a place it is about the text, and so is what Python says of the text as a whole.
  if (llvm::StringRef Why = Unit.FirstError; isPython(Unit.MainFile) && !Why.empty())
    return llvm::isDigit(Why.front()) || Why.contains(" reports: ") ? "Python reports errors"
                                                                    : Why.str();
  // What the system refuses is no error of the text.
  if (llvm::StringRef(Unit.FirstError).ends_with(": Permission denied") && Unit.NumErrors == 1)
    return Unit.FirstError;
  if (Unit.complete()) // errors in function bodies hide no registration
    return "";
  return Unit.NumErrors ? "Clang reports errors" : Unit.FirstError;
}

std::string reasonsText(llvm::ArrayRef<std::string> All) {
  std::map<std::string, size_t> Count;
  for (const std::string &Why : All)
    ++Count[Why];
  std::vector<std::pair<std::string, size_t>> Ordered(Count.begin(), Count.end());
  llvm::stable_sort(Ordered, [](const auto &L, const auto &R) { return L.second > R.second; });
  std::vector<std::string> Words;
  for (const auto &[Why, Times] : llvm::ArrayRef(Ordered).take_front(3))
    Words.push_back(
        Times == 1 || Ordered.size() == 1 ? Why : Why + " in " + std::to_string(Times) + " cases");
  if (Ordered.size() > Words.size())
    Words.push_back("...");
  return llvm::join(Words, "; ");
}

namespace {

/// Of the text, if there is one; flags have notes of their own.
std::string firstError(const UnitFacts &Unit) {
  llvm::StringRef Text = splitFirstErrors(Unit.FirstError).Text;
  return Text.empty() ? withFlagAdvice(Unit.FirstError) : Text.str();
}

/// "WITH_CUDA" of "#ifdef WITH_CUDA" and "#if defined(WITH_CUDA)"; "" of anything else.
llvm::StringRef macroOf(llvm::StringRef Condition) {
  llvm::StringRef Rest = Condition.ltrim("# \t");
  if (!Rest.consume_front("ifdef") && !Rest.consume_front("if defined") &&
      !Rest.consume_front("if"))
    return "";
  Rest = Rest.trim(" \t()");
  bool IsName = !Rest.empty() && !llvm::isDigit(Rest.front()) &&
                llvm::all_of(Rest, [](char C) { return llvm::isAlnum(C) || C == '_'; });
  return IsName ? Rest : "";
}

/// Why a block that stands in \p Unit was not read.
std::string whyUnseen(const WrittenRegistration &Written, const UnitFacts &Unit) {
  if (!Written.Condition.empty())
    return "excluded by '" + Written.Condition + "'";
  std::string Why = shortReason(Unit);
  if (!Why.empty())
    return Why;
  return Written.InFunction ? "written inside a function"
                            : "the registration macro is not PyTorch's";
}

/// What to do about the errors of \p Unit; "" if there are none.
std::string adviceFor(const UnitFacts &Unit) {
  if (!Unit.MissingHeaders.empty())
    return "pass the folder of the header (-- -I DIR) or the build folder (-p BUILD)";
  return Unit.complete() || Unit.FirstError.empty() ? "" : "the first error is " + firstError(Unit);
}

std::string adviceFor(const WrittenRegistration &Written, const UnitFacts &Unit) {
  if (llvm::StringRef Macro = macroOf(Written.Condition); !Macro.empty())
    return ("define '" + Macro + "' (-- -D" + Macro + ") or pass the build folder (-p BUILD)")
        .str();
  if (!Written.Condition.empty())
    return "pass the flags of the build (-p BUILD, or -- FLAGS)";
  return adviceFor(Unit);
}

/// Whoever says so has to do with PyTorch.
bool includesTorch(llvm::StringRef Text) {
  return llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"<torch/", "<ATen/", "<c10/", "\"torch/",
                                                      "\"ATen/", "\"c10/"},
                      [&](llvm::StringRef Words) { return Text.contains(Words); });
}

/// The whole text; nothing where it cannot be read, which was said.
std::optional<SourceId> openIfThere(llvm::StringRef Name, SourceFiles &Files) {
  llvm::Expected<SourceId> File = Files.open(Name);
  if (File)
    return *File;
  llvm::consumeError(File.takeError());
  return std::nullopt;
}

/// What was read of the text of \p Unit's file, or is counted beside: blocks, and lines that a
/// condition leaves out and that were read by another one.
class ReadPlaces {
public:
  explicit ReadPlaces(const UnitFacts &Unit) {
    add(Unit);
    for (const UnitFacts &Other : Unit.OtherBranches) {
      add(Other);
      for (const SkippedBranch &Branch : Other.Branches)
        if (Branch.Lines.File == 0)
          Lines.push_back(Branch.Lines);
    }
  }

  bool hold(uint32_t Offset) const {
    return Blocks.count(Offset) || llvm::any_of(Lines, [&](const Span &At) {
             return At.Offset <= Offset && Offset < At.end();
           });
  }

private:
  void add(const UnitFacts &Unit) {
    for (const RegistrationBlock &Block : Unit.Registrations)
      if (Block.At.isValid() && Block.At.File == 0)
        Blocks.insert(Block.At.Offset);
  }

  std::set<uint32_t> Blocks;
  std::vector<Span> Lines;
};

bool registers(const UnitFacts &Unit) {
  return !Unit.Registrations.empty() || llvm::any_of(Unit.OtherBranches, registers);
}

/// How many registered kernels of \p Unit were read, or not.
size_t countKernels(const UnitFacts &Unit, bool WereRead) {
  size_t Count = 0;
  for (const RegistrationBlock &Block : Unit.Registrations)
    Count += llvm::count_if(Block.Entries, [&](const RegistrationEntry &Entry) {
      return Entry.Kernel.Is != RegisteredKernel::None &&
             (Entry.Kernel.Is != RegisteredKernel::Unread) == WereRead;
    });
  for (const UnitFacts &Other : Unit.OtherBranches)
    Count += countKernels(Other, WereRead);
  return Count;
}

} // namespace

UnseenBlocks::UnseenBlocks(llvm::ArrayRef<UnitFacts> Units, llvm::ArrayRef<std::string> Python,
                           SourceFiles &Files) {
  llvm::StringMap<const UnitFacts *> OfPython;
  for (const UnitFacts &Unit : Units) {
    if (isPython(Unit.MainFile))
      OfPython[Unit.MainFile] = &Unit;
    else
      lookAt(Unit, Files);
  }
  for (const std::string &Name : Python)
    lookAtPython(Name, OfPython.lookup(Name), Files);
}

void UnseenBlocks::lookAt(const UnitFacts &Unit, SourceFiles &Files) {
  FileState &State = States[Unit.MainFile];
  State.HasRead = registers(Unit);
  State.HasKernel = countKernels(Unit, true) != 0;
  if (!Unit.complete()) {
    State.HiddenKernels = countKernels(Unit, false);
    State.WhyHidden = shortReason(Unit);
    State.HiddenAdvice = adviceFor(Unit);
  }
  std::optional<SourceId> File = openIfThere(Unit.MainFile, Files);
  if (!File)
    return;
  ReadPlaces Read(Unit);
  llvm::StringRef Text = Files.text(*File);
  if (Unit.complete() && !State.HasKernel)
    lookAtBranches(Unit, Text);
  for (const WrittenRegistration &W : writtenRegistrations(Text)) {
    // Another macro that Clang knows may make anything of such a block.
    bool IsKnown = Unit.complete() && W.Condition.empty() && W.IsOtherMacro;
    if (IsKnown || Read.hold(W.Offset))
      continue;
    State.Whys.push_back(whyUnseen(W, Unit));
    if (State.Advice.empty())
      State.Advice = adviceFor(W, Unit);
    All.push_back({Files.placeAt(*File, W.Offset, W.Word.size()), State.Whys.back()});
  }
  if (Unit.Garbled && Unit.MissingHeaders.empty() && Unit.Kernels.empty() && !State.HasRead &&
      includesTorch(Text))
    State.SyntaxError = firstError(Unit);
}

/// The innermost inactive branch of the main file around the place; null without.
static const SkippedBranch *branchAround(const UnitFacts &Other, const Span &At) {
  const SkippedBranch *Found = nullptr;
  for (const SkippedBranch &B : Other.Branches)
    if (At.File == 0 && B.Lines.File == 0 && B.Lines.Offset <= At.Offset &&
        At.Offset < B.Lines.end() && (!Found || B.Lines.Offset > Found->Lines.Offset))
      Found = &B;
  return Found;
}

/// Counts kernels that another configuration would have, and that were read in none.
void UnseenBlocks::lookAtBranches(const UnitFacts &Unit, llvm::StringRef Text) {
  FileState &State = States[Unit.MainFile];
  for (const UnitFacts &Other : Unit.OtherBranches)
    for (const RegistrationBlock &Block : Other.Registrations)
      for (const RegistrationEntry &Entry : Block.Entries) {
        const SkippedBranch *B = branchAround(Other, Entry.At);
        if (Entry.Kernel.Is != RegisteredKernel::Unread || !B || B->OfOther)
          continue;
        ++State.HiddenKernels;
        if (!State.WhyHidden.empty())
          continue;
        llvm::StringRef Condition = Text.substr(B->Directive.Offset, B->Directive.Length);
        State.WhyHidden = "'" + Condition.str() + "' is off" +
                          (Other.FirstError.empty() ? "" : ", and " + Other.FirstError);
        std::string Flags = llvm::join(Other.BranchFlags, " ");
        State.HiddenAdvice = "pass the flags of the build (-p BUILD, or -- " +
                             (Flags.empty() ? "FLAGS" : Flags) + ")";
      }
}

void UnseenBlocks::lookAtPython(llvm::StringRef Name, const UnitFacts *Unit, SourceFiles &Files) {
  FileState &State = States[Name];
  State.HasRead = Unit && !Unit->Registrations.empty();
  State.HasKernel = State.HasRead;
  // It may fill a Library of another file, of which its own text says nothing.
  if (Unit && !Unit->complete())
    State.WhyUnread = Unit->FirstError;
  std::optional<SourceId> File = State.HasRead ? std::nullopt : openIfThere(Name, Files);
  if (!File)
    return;
  for (const WrittenRegistration &W : writtenPythonRegistrations(Files.text(*File))) {
    std::string Why = Unit ? shortReason(*Unit) : "";
    if (Why.empty())
      Why = W.InFunction ? "written inside a function" : "the operator could not be determined";
    if (State.Advice.empty() && Unit && !Unit->FirstError.empty())
      State.Advice = "the first error is " + firstError(*Unit);
    State.Whys.push_back(Why);
    All.push_back({Files.placeAt(*File, W.Offset, W.Word.size()), std::move(Why)});
  }
}

/// A file that was passed names it where it may include it.
static bool mayBeIncluded(llvm::StringRef Header, llvm::ArrayRef<UnitFacts> Units,
                          SourceFiles &Files) {
  std::string Name = llvm::sys::path::filename(Header).str();
  return llvm::any_of(Units, [&](const UnitFacts &Unit) {
    std::optional<SourceId> File =
        isPython(Unit.MainFile) ? std::nullopt : openIfThere(Unit.MainFile, Files);
    return File &&
           (Files.text(*File).contains(Name + "\"") || Files.text(*File).contains(Name + ">"));
  });
}

void UnseenBlocks::lookAtHeaders(llvm::ArrayRef<InputGroup> Groups, llvm::ArrayRef<UnitFacts> Units,
                                 SourceFiles &Files) {
  if (llvm::all_of(Groups, [](const InputGroup &Group) { return Group.Headers.empty(); }))
    return;
  // Those that a unit read something of are no more to be looked at.
  std::set<std::string> Known;
  for (const UnitFacts &Unit : Units)
    if (!isPython(Unit.MainFile))
      for (const std::string &Name : Unit.Files)
        Known.insert(absolutePath(Name));
  for (const InputGroup &Group : Groups)
    for (const std::string &Name : Group.Headers) {
      std::optional<SourceId> File =
          Known.insert(absolutePath(Name)).second ? openIfThere(Name, Files) : std::nullopt;
      if (!File || !Files.text(*File).contains("LIBRARY"))
        continue;
      std::vector<WrittenRegistration> Written = writtenRegistrations(Files.text(*File));
      llvm::erase_if(Written, [](const WrittenRegistration &W) { return W.IsOtherMacro; });
      if (Written.empty() || mayBeIncluded(Name, Units, Files))
        continue;
      for (const WrittenRegistration &W : Written)
        All.push_back({Files.placeAt(*File, W.Offset, W.Word.size()),
                       "no file that was passed includes '" + tidied(Name) +
                           "'; pass the header to check it"});
    }
}

namespace {

/// Why parts of a group's files could not be read, and what to do about the first of them.
struct Reasons {
  std::vector<std::string> Whys;
  std::string Advice;

  void add(llvm::ArrayRef<std::string> More, llvm::StringRef WhatToDo) {
    llvm::append_range(Whys, More);
    if (Advice.empty())
      Advice = WhatToDo.str();
  }
  std::string text() const { return reasonsText(Whys) + (Advice.empty() ? "" : "; " + Advice); }
};

} // namespace

std::vector<const UnseenBlocks::FileState *> UnseenBlocks::statesOf(const InputGroup &Group) const {
  std::vector<const FileState *> Out;
  for (const std::string &Name : Group.Files)
    if (auto Known = States.find(Name); Known != States.end())
      Out.push_back(&Known->second);
  return Out;
}

std::string UnseenBlocks::messageFor(const InputGroup &Group) const {
  Reasons Found;
  for (const FileState *State : statesOf(Group)) {
    if (State->HasRead)
      return "";
    if (Group.IsFile && State->Whys.empty() && !State->SyntaxError.empty())
      return "'" + Group.Name +
             "' could not be checked because of syntax errors: " + State->SyntaxError;
    if (Group.IsFile && State->Whys.empty() && !State->WhyUnread.empty())
      return "'" + Group.Name + "' could not be checked: " + State->WhyUnread;
    Found.add(State->Whys, State->Advice);
  }
  size_t Count = Found.Whys.size();
  if (!Count)
    return "";
  std::string Which =
      Count == 1 ? "the registration" : "the " + std::to_string(Count) + " registrations";
  return Which + " in '" + Group.Name + "' could not be read: " + Found.text();
}

std::string UnseenBlocks::kernelMessageFor(const InputGroup &Group) const {
  Reasons Found;
  for (const FileState *State : statesOf(Group)) {
    if (State->HasKernel)
      return "";
    if (State->HiddenKernels)
      Found.add(std::vector(State->HiddenKernels, State->WhyHidden), State->HiddenAdvice);
  }
  size_t Count = Found.Whys.size();
  if (!Count)
    return "";
  std::string Which =
      Count == 1 ? "type of the kernel" : "types of all " + counted(Count, "kernel");
  return "the " + Which + " that '" + Group.Name +
         "' registers could not be determined: " + Found.text();
}

/// The messages of \p Groups that are not empty.
template <typename Function>
static std::vector<std::string> messages(llvm::ArrayRef<InputGroup> Groups, Function MessageOf) {
  std::vector<std::string> Out;
  for (const InputGroup &Group : Groups)
    if (std::string Message = MessageOf(Group); !Message.empty())
      Out.push_back(std::move(Message));
  return Out;
}

std::vector<std::string> UnseenBlocks::withoutKernels(llvm::ArrayRef<InputGroup> Groups) const {
  return messages(Groups, [&](const InputGroup &Group) { return kernelMessageFor(Group); });
}

std::vector<std::string> UnseenBlocks::unreadable(llvm::ArrayRef<InputGroup> Groups) const {
  return messages(Groups, [&](const InputGroup &Group) { return messageFor(Group); });
}

} // namespace opsig

//===- CppType.cpp - C++ types as trees ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Frontend/CppType.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

CppType CppType::of(Form Is, CppType To) {
  CppType Out;
  if (!To.isRead())
    return Out;
  Out.Is = Is;
  Out.Args.push_back(std::move(To));
  return Out;
}

CppType CppType::decayed() const {
  CppType Out = referee();
  Out.Const = false;
  return Out;
}

bool CppType::isPlain() const {
  if (Is == Unread || Is == Opaque || Volatile ||
      StringRef(Name).find_first_of("<([") != StringRef::npos)
    return false;
  return all_of(Args, [](const CppType &A) { return A.isPlain(); });
}

std::string CppType::str() const {
  std::string Out;
  switch (Is) {
  case Unread:
    return "";
  case Named:
  case Opaque:
    Out = Name;
    if (!Args.empty()) {
      ListSeparator Comma(",");
      Out += "<";
      for (const CppType &A : Args)
        Out += (StringRef(Comma) + A.str()).str();
      Out += ">";
    }
    break;
  case Pointer:
    Out = Args.front().str() + "*";
    break;
  case LeftRef:
    Out = Args.front().str() + "&";
    break;
  case RightRef:
    Out = Args.front().str() + "&&";
    break;
  }
  return Out + (Const ? " const" : "") + (Volatile ? " volatile" : "");
}

std::string CppType::written(function_ref<std::string(StringRef)> Spell, StringRef Comma) const {
  bool IsIndirect = Is != Named && Is != Opaque;
  std::string Out = std::string(Const && !IsIndirect ? "const " : "") +
                    (Volatile && !IsIndirect ? "volatile " : "");
  switch (Is) {
  case Unread:
    return "";
  case Named:
  case Opaque:
    Out += Spell(Name);
    if (!Args.empty()) {
      ListSeparator Separator(Comma);
      Out += "<";
      for (const CppType &A : Args)
        Out += (StringRef(Separator) + A.written(Spell, Comma)).str();
      Out += ">";
    }
    return Out;
  case Pointer:
    return Args.front().written(Spell, Comma) + " *" + (Const ? "const" : "");
  case LeftRef:
    return Args.front().written(Spell, Comma) + " &";
  case RightRef:
    return Args.front().written(Spell, Comma) + " &&";
  }
  llvm_unreachable("closed kind");
}

std::string CppType::written() const {
  return written([](StringRef Own) { return Own.str(); }, ",");
}

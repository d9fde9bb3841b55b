//===- CppSpelling.cpp - canonical spellings taken apart ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registered/CppSpelling.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

class SpellingParser {
public:
  explicit SpellingParser(StringRef Text) : Rest(Text) {}

  bool type(CppSpelling &Out) {
    size_t Length = std::min(Rest.find_first_of("<>,&*"), Rest.size());
    StringRef Name = Rest.take_front(Length);
    if (size_t Const = Name.find(" const"); Const != StringRef::npos)
      Name = Name.take_front(Const);
    if (Name.empty() || Name.contains('(') || Name.contains('['))
      return false;
    Rest = Rest.drop_front(Name.size());
    Out.Name = plain(Name);
    if (Rest.consume_front("<")) {
      if (!Rest.starts_with(">"))
        do {
          if (!type(Out.Args.emplace_back()))
            return false;
        } while (Rest.consume_front(","));
      if (!Rest.consume_front(">") || Rest.starts_with("::"))
        return false;
    }
    return suffixes(Out);
  }

  bool atEnd() const { return Rest.empty(); }

private:
  bool suffixes(CppSpelling &Out) {
    while (true) {
      if (Rest.consume_front(" const"))
        Out.Const = true;
      else if (Rest.consume_front("*")) {
        ++Out.Pointers;
        Out.Const = false;
      } else if (Rest.consume_front("&&"))
        Out.Ref = CppSpelling::RValue;
      else if (Rest.consume_front("&"))
        Out.Ref = CppSpelling::LValue;
      else
        return Rest.empty() || Rest.starts_with(",") || Rest.starts_with(">");
    }
  }

  /// Versions of the standard library live in inline namespaces.
  static std::string plain(StringRef Name) {
    for (StringRef Inline : {"std::__cxx11::", "std::__1::", "std::__ndk1::"})
      if (Name.consume_front(Inline))
        return "std::" + Name.str();
    return Name.str();
  }

  StringRef Rest;
};

} // namespace

CppSpelling CppSpelling::decayed() const {
  CppSpelling Out = *this;
  Out.Ref = Value;
  Out.Const = false;
  return Out;
}

std::string CppSpelling::str() const {
  std::string Out = Name;
  if (!Args.empty())
    Out += "<" + join(map_range(Args, [](const CppSpelling &A) { return A.str(); }), ",") + ">";
  Out += (Const ? " const" : "") + std::string(Pointers, '*');
  return Out + (Ref == LValue ? "&" : Ref == RValue ? "&&" : "");
}

std::optional<CppSpelling> opsig::parseCppSpelling(StringRef Text) {
  CppSpelling Out;
  SpellingParser Parser(Text);
  if (!Parser.type(Out) || !Parser.atEnd())
    return std::nullopt;
  return Out;
}

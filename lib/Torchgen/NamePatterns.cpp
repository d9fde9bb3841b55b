//===- NamePatterns.cpp - Regular expressions of names ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PythonDataInternal.h"
#include "llvm/ADT/StringExtras.h"

namespace opsig {

namespace {

using Texts = std::vector<std::string>;

constexpr size_t MaxTexts = 256;

/// Takes a regular expression apart into the texts it stands for: letters, `.`, `.*`, groups of
/// alternatives, and `?` behind a letter or a group.
class Expander {
public:
  explicit Expander(llvm::StringRef Regex) : Rest(Regex) {}

  std::optional<Texts> run() {
    std::optional<Texts> All = alternatives();
    return All && Rest.empty() ? All : std::nullopt;
  }

private:
  std::optional<Texts> alternatives() {
    Texts All;
    do {
      std::optional<Texts> One = sequence();
      if (!One)
        return std::nullopt;
      All.insert(All.end(), One->begin(), One->end());
    } while (Rest.consume_front("|"));
    return All;
  }

  std::optional<Texts> sequence() {
    Texts All{""};
    while (!Rest.empty() && Rest[0] != '|' && Rest[0] != ')') {
      std::optional<Texts> Next = piece();
      if (!Next || All.size() * Next->size() > MaxTexts)
        return std::nullopt;
      Texts Longer;
      for (const std::string &Front : All)
        for (const std::string &Back : *Next)
          Longer.push_back(Front + Back);
      All = std::move(Longer);
    }
    return All;
  }

  std::optional<Texts> piece() {
    Texts All;
    if (Rest.consume_front("(")) {
      if (++Depth > 8)
        return std::nullopt;
      std::optional<Texts> Inner = alternatives();
      --Depth;
      if (!Inner || !Rest.consume_front(")"))
        return std::nullopt;
      All = std::move(*Inner);
    } else if (Rest.consume_front(".*")) {
      All = {"*"};
    } else if (Rest.consume_front(".")) {
      All = {"?"};
    } else if (llvm::isAlnum(Rest[0]) || Rest[0] == '_') {
      All = {Rest.take_front(1).str()};
      Rest = Rest.drop_front();
    } else {
      return std::nullopt;
    }
    if (Rest.starts_with("*") || Rest.starts_with("+") || Rest.starts_with("{"))
      return std::nullopt;
    if (Rest.consume_front("?")) {
      if (Rest.starts_with("?"))
        return std::nullopt;
      All.insert(All.begin(), "");
    }
    return All;
  }

  llvm::StringRef Rest;
  unsigned Depth = 0;
};

} // namespace

std::optional<Texts> namePatterns(llvm::StringRef Regex) {
  std::optional<Texts> All = Expander(Regex).run();
  if (!All)
    return std::nullopt;
  // A dialect's pattern has one "*", at its front or its end.
  for (const std::string &Text : *All) {
    size_t Star = Text.find('*');
    if (Star != std::string::npos &&
        ((Star != 0 && Star + 1 != Text.size()) || Text.find('*', Star + 1) != std::string::npos))
      return std::nullopt;
  }
  return All;
}

} // namespace opsig

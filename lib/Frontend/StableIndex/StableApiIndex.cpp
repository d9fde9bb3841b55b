//===- StableApiIndex.cpp - which target has what of the stable headers ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StableIndex/StableApiIndexInternal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using namespace llvm;

StringRef opsig::kindText(StableKind Is) {
  static constexpr StringLiteral Texts[] = {"symbol",   "function",    "class",      "method",
                                            "field",    "enumeration", "enumerator", "alias",
                                            "variable", "macro"};
  return Texts[unsigned(Is)];
}

namespace {

constexpr unsigned MajorShift = 56, MinorShift = 48;
/// What a target below all others, and the release of the headers, are called in a definition.
constexpr StringLiteral FirstTarget = "0", NewestTarget = "TORCH_ABI_VERSION";

/// Folders of headers, and whether those below them count.
constexpr std::pair<StringLiteral, bool> StableApiFolders[] = {
    {"torch/csrc/stable", true},
    {"torch/headeronly", true},
    {"torch/csrc/inductor/aoti_torch/c", false},
    {"torch/csrc/inductor/aoti_torch/generated", false},
};

/// The headers in \p Below, sorted, as they are included.
std::vector<std::string> headersBelow(StringRef Folder, StringRef Below, bool Deep) {
  SmallString<256> Top(Folder);
  sys::path::append(Top, Below);
  std::vector<std::string> Found;
  std::error_code Error;
  for (sys::fs::recursive_directory_iterator It(Top, Error), End; It != End && !Error;
       It.increment(Error)) {
    StringRef Path = It->path();
    if (!Deep && sys::path::parent_path(Path) != StringRef(Top))
      continue;
    if (sys::path::extension(Path) == ".h")
      Found.push_back(Path.drop_front(Folder.size()).ltrim('/').str());
  }
  llvm::sort(Found);
  return Found;
}

/// A target, and what of the headers it has.
struct Scanned {
  std::string Macro;
  StableApiScan Scan;
  StableVersion Value = 0;
  bool Parsed = false;

  bool has(StringRef Header, ByteRange Range) const {
    auto File = Scan.Files.find(Header.str());
    return File == Scan.Files.end() ||
           none_of(File->second.Skipped, [&](const ByteRange &R) { return R.holds(Range); });
  }
};

class StableApiReader {
public:
  StableApiReader(StableApiIndex &Out, StableApiInput Input) : Out(Out), Input(std::move(Input)) {}

  Error read() {
    if (!scanAll() || !parseAll())
      return createStringError("the headers of the stable ABI in '" + Input.Folder +
                               "' cannot be read");
    addMacros();
    addHeaders();
    llvm::stable_sort(Out.Items, [](const StableItem &L, const StableItem &R) {
      return std::tie(L.Name, L.Header, L.Line) < std::tie(R.Name, R.Header, R.Line);
    });
    return Error::success();
  }

private:
  /// Conditions stand within conditions: each target may show more of them.
  bool scanAll() {
    // Switches first: what they open is asked for by all.
    for (std::optional<StableApiScan> Scan;;) {
      Scan = scanStableApi(Input, NewestTarget);
      if (!Scan)
        return false;
      if (Scan->Switches.empty()) {
        All.push_back({NewestTarget.str(), std::move(*Scan)});
        break;
      }
      Input.Switches.insert(Input.Switches.end(), Scan->Switches.begin(), Scan->Switches.end());
    }
    std::vector<std::string> Left{FirstTarget.str()};
    std::set<std::string> Seen{NewestTarget.str(), FirstTarget.str()};
    auto Ask = [&](const StableApiScan &Scan) {
      for (const std::string &Macro : Scan.Targets)
        if (Seen.insert(Macro).second)
          Left.push_back(Macro);
    };
    Ask(All.front().Scan);
    while (!Left.empty()) {
      std::string Macro = std::move(Left.back());
      Left.pop_back();
      std::optional<StableApiScan> Scan = scanStableApi(Input, Macro);
      if (!Scan)
        return false;
      Ask(*Scan);
      All.push_back({Macro, std::move(*Scan)});
    }
    return true;
  }

  bool parseAll() {
    std::vector<std::string> Macros;
    for (const Scanned &S : All)
      Macros.push_back(S.Macro);
    // The newest has nearly all, and every macro.
    std::optional<StableApiDecls> Decls = readStableApiDecls(Input, NewestTarget, Macros);
    if (!Decls)
      return false;
    for (auto [S, Value] : zip(All, Decls->Values))
      S.Value = Value;
    All.front().Parsed = true;
    Out.Newest = All.front().Value;
    llvm::stable_sort(All, [](const Scanned &L, const Scanned &R) { return L.Value < R.Value; });
    for (const Scanned &S : All)
      if (S.Value != 0 && S.Macro != NewestTarget)
        Out.Targets.push_back(S.Value);
    addDecls(*Decls);
    for (Scanned &S : All) {
      if (S.Parsed || !hasNews(S))
        continue;
      Decls = readStableApiDecls(Input, S.Macro, {});
      if (!Decls)
        return false;
      S.Parsed = true;
      addDecls(*Decls);
    }
    return true;
  }

  /// Whether \p S has lines that no target has which was parsed.
  bool hasNews(const Scanned &S) const {
    for (const auto &[Name, File] : All.back().Scan.Files)
      for (const ByteRange &Range : File.Skipped)
        if (is_contained(Input.Headers, Name) && S.has(Name, Range) &&
            none_of(All, [&](const Scanned &O) { return O.Parsed && O.has(Name, Range); }))
          return true;
    return false;
  }

  void addDecls(StableApiDecls &Decls) {
    for (StableApiDecl &D : Decls.Decls) {
      if (!Places.insert({D.Item.Header, D.Offset, D.Item.Name}).second)
        continue;
      ByteRange At{D.Offset, D.Offset + 1};
      setTargets(D.Item, [&](const Scanned &S) { return S.has(D.Item.Header, At); });
      Out.Items.push_back(std::move(D.Item));
    }
  }

  void addMacros() {
    std::map<std::pair<std::string, std::string>, unsigned> Lines;
    for (const Scanned &S : reverse(All))
      for (const auto &[Header, File] : S.Scan.Files)
        if (is_contained(Input.Headers, Header))
          for (const StableApiScan::Macro &M : File.Macros)
            Lines.insert({{Header, M.Name}, M.Line});
    for (const auto &[Key, Line] : Lines) {
      const auto &[Header, Name] = Key;
      StableItem Item;
      Item.Is = StableKind::Macro;
      Item.Name = Name;
      Item.Header = Header;
      Item.Line = Line;
      setTargets(Item, [&](const Scanned &S) {
        auto File = S.Scan.Files.find(Item.Header);
        return File != S.Scan.Files.end() &&
               any_of(File->second.Macros, [&](const auto &M) { return M.Name == Item.Name; });
      });
      Out.Items.push_back(std::move(Item));
    }
  }

  template <typename F> void setTargets(StableItem &Item, F Has) {
    const Scanned *First = find_if(All, Has);
    if (First == All.end())
      return; // foreign headers decide
    Item.Since = First->Value;
    const Scanned *Last = std::find_if_not(First, static_cast<const Scanned *>(All.end()), Has);
    Item.Until = Last == All.end() ? 0 : Last->Value;
  }

  void addHeaders() {
    const StableApiScan &Scan = All.back().Scan;
    for (const std::string &Name : Input.Headers) {
      StableHeader Header;
      Header.Name = Name;
      std::set<std::string> Seen;
      reach(Scan, Name, Header, Seen);
      auto Own = [&](const StableItem &I) { return I.Header == Name; };
      if (Header.Refused) {
        erase_if(Out.Items, Own);
      } else if (any_of(Out.Items, Own)) {
        Header.Since = ~StableVersion(0);
        for (const StableItem &I : Out.Items)
          if (Own(I))
            Header.Since = std::min(Header.Since, I.Since);
      }
      Out.Headers.push_back(std::move(Header));
    }
  }

  /// What becomes of \p Header by \p File, and all that it includes.
  static void reach(const StableApiScan &Scan, const std::string &File, StableHeader &Header,
                    std::set<std::string> &Seen) {
    auto It = Scan.Files.find(File);
    if (It == Scan.Files.end() || !Seen.insert(File).second)
      return;
    Header.Refused |= It->second.Refuses;
    for (const std::string &Missing : It->second.Lacks)
      if (!is_contained(Header.Lacks, Missing))
        Header.Lacks.push_back(Missing);
    for (const std::string &To : It->second.Includes)
      reach(Scan, To, Header, Seen);
  }

  StableApiIndex &Out;
  StableApiInput Input;
  SmallVector<Scanned, 0> All; ///< ascending, once their values are known
  std::set<std::tuple<std::string, unsigned, std::string>> Places;
};

} // namespace

Expected<StableApiIndex> opsig::readStableApiIndex(StringRef Folder, ArrayRef<std::string> Flags) {
  SmallString<256> Absolute(Folder);
  sys::fs::make_absolute(Absolute);
  sys::path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  StableApiIndex Out;
  Out.Folder = std::string(Absolute);
  StableApiInput Input;
  Input.Folder = Out.Folder;
  Input.Flags.assign(Flags.begin(), Flags.end());
  for (const auto &[Below, Deep] : StableApiFolders) {
    std::vector<std::string> Found = headersBelow(Input.Folder, Below, Deep);
    if (Found.empty() && Input.Headers.empty())
      return createStringError(
          "no headers of the stable ABI in '" + Out.Folder + "': '" + Below +
          "' does not exist or is empty; pass a newer PyTorch with --torch-root");
    append_range(Input.Headers, Found);
  }
  if (Error Failed = StableApiReader(Out, std::move(Input)).read())
    return std::move(Failed);
  return Out;
}

ArrayRef<StableItem> StableApiIndex::named(StringRef Name) const {
  auto Less = [](const auto &L, const auto &R) {
    if constexpr (std::is_same_v<std::decay_t<decltype(L)>, StableItem>)
      return StringRef(L.Name) < R;
    else
      return L < StringRef(R.Name);
  };
  auto [Begin, End] = std::equal_range(Items.begin(), Items.end(), Name, Less);
  return ArrayRef(Items).slice(Begin - Items.begin(), End - Begin);
}

const StableItem *StableApiIndex::find(StableKind Is, StringRef Name) const {
  const StableItem *Best = nullptr;
  for (const StableItem &Item : named(Name))
    if (Item.Is == Is && (!Best || Item.Since < Best->Since))
      Best = &Item;
  return Best;
}

const StableHeader *StableApiIndex::header(StringRef Name) const {
  auto It = find_if(Headers, [&](const StableHeader &H) { return H.Name == Name; });
  return It == Headers.end() ? nullptr : &*It;
}

std::string opsig::targetText(StableVersion Target) {
  if (Target == 0)
    return "";
  return formatv("{0}.{1}", Target >> MajorShift, (Target >> MinorShift) & 0xff);
}

std::optional<StableVersion> opsig::parseTarget(StringRef Text) {
  StableVersion Number = 0;
  if (Text.starts_with("0x"))
    return Text.getAsInteger(0, Number) ? std::nullopt : std::optional(Number);
  auto [Major, Minor] = Text.split('.');
  unsigned Numbers[2] = {};
  if (Major.getAsInteger(10, Numbers[0]) || Minor.getAsInteger(10, Numbers[1]) ||
      Numbers[0] > 0xff || Numbers[1] > 0xff)
    return std::nullopt;
  return StableVersion(Numbers[0]) << MajorShift | StableVersion(Numbers[1]) << MinorShift;
}

std::string opsig::targetNumber(StableVersion Target) {
  return ("0x" + Twine(utohexstr(Target, /*LowerCase=*/true, /*Width=*/16))).str();
}

//===- PythonCalls.cpp - calls that torch.library refuses ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Python/PythonInternal.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Support/TypoCorrection.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace opsig;
using namespace llvm;

/// Edits the text where one other is meant, and says so.
static void correct(Finding &Diag, const PythonCase &Of, const PythonText &Text,
                    ArrayRef<StringRef> Known, PythonChecks &Checks) {
  std::optional<Correction> Near = correctName(Text.Value, Known);
  if (!Near || !Near->IsUnique || !Text.Exact.isValid())
    return;
  Diag.Hint = Near->Name;
  Diag.Fixes = {Checks.edit(*Of.In.Unit, Text.Exact, Near->Name)};
}

static std::string meant(StringRef Text, ArrayRef<StringRef> Known) {
  std::optional<Correction> Near = correctName(Text, Known);
  return Near ? "; did you mean '" + Near->Name + "'?" : std::string();
}

/// "ns::name" where a function of torch.library wants the whole name.
void opsig::checkPythonNames(const PythonCase &Of, PythonChecks &Checks) {
  const LibraryUse &Use = Of.Use;
  StringRef What = Use.What;
  bool IsWhole = What == "custom-op" || What == "kernel" || What == "fake" || What == "autograd" ||
                 What == "vmap" || What == "define";
  if (!IsWhole || !Use.Op.IsKnown || Use.Op.Value.empty())
    return;
  size_t Colons = StringRef(Use.Op.Value).count("::");
  // The fake of a Library has the name of its own.
  if (Colons != 1 && !StringRef(Use.Api).ends_with("_register_fake")) {
    std::string Meant;
    if (Colons == 0 && What != "custom-op" && What != "define")
      Meant = Checks.operatorMeantBy(Use.Op.Value);
    Finding &Diag = Checks.report(finding::RegistrationNamespace, *Of.In.Unit, Use.Op.Whole,
                                  formatv("'{0}' must be 'namespace::name'{1}", Use.Op.Value,
                                          Meant.empty() ? "" : "; did you mean '" + Meant + "'?"),
                                  Of);
    if (!Meant.empty() && Use.Op.Exact.isValid()) {
      Diag.Hint = Meant;
      Diag.Fixes = {Checks.edit(*Of.In.Unit, Use.Op.Exact, Meant)};
    }
  }
  StringRef Schema = StringRef(Use.Schema.Value);
  if ((What == "define" || What == "custom-op") && Use.Schema.IsKnown &&
      !ignoresSchema(Of, Checks) &&
      !(What == "custom-op" ? Schema.ltrim() : Schema).starts_with("(")) {
    Finding &Diag = Checks.report(
        finding::RegisteredSchema, *Of.In.Unit, Use.Schema.Whole,
        "this schema must begin with '(', because the first argument already names the operator",
        Of);
    StringRef Name = StringRef(Use.Op.Value).split("::").second;
    if (!Name.empty() && Schema.starts_with((Name + "(").str()) && Use.Schema.Exact.isValid()) {
      Span At = Use.Schema.Exact;
      At.Length = uint32_t(Name.size());
      Diag.Fixes = {Checks.edit(*Of.In.Unit, At, "")};
    }
  }
}

/// Those of the first release of which they are known, and that is not older.
static ArrayRef<StringRef> keysOf(const Dialect &D) {
  for (const Dialect *Newer : allDialects())
    if ((Newer->Major > D.Major || (Newer->Major == D.Major && Newer->Minor >= D.Minor)) &&
        !Newer->Keys.Strings.empty())
      return Newer->Keys.Strings;
  return {};
}

static void checkKey(const PythonCase &Of, const PythonText &Key, PythonChecks &Checks) {
  const Dialect &D = Checks.dialect();
  ArrayRef<StringRef> Keys = keysOf(D);
  bool OnlyDevices = Of.Use.What == "custom-op";
  if (!Key.IsKnown || Keys.empty() || Key.Value.empty() ||
      (!OnlyDevices && is_contained(Keys, Key.Value)))
    return;
  if (Checks.isRenamed(Key.Value))
    return;
  if (!Of.Use.Devices) {
    Finding &Diag = Checks.report(finding::RegistrationKey, *Of.In.Unit, Key.Whole,
                                  formatv("libtorch does not accept the dispatch key name '{0}'{1}",
                                          Key.Value, meant(Key.Value, Keys)),
                                  Of);
    correct(Diag, Of, Key, Keys, Checks);
    return;
  }
  // Types of devices, of which a backend may have brought one of its own.
  std::vector<StringRef> Known(D.Schema.DevicesInStrings.begin(), D.Schema.DevicesInStrings.end());
  Known.push_back("default");
  StringRef Value = Key.Value;
  if (is_contained(Known, Value))
    return;
  if (Value.lower() != Value && !OnlyDevices)
    Known = Keys.vec();
  std::optional<Correction> Near = correctName(Value, Known);
  if (!Near)
    return;
  Finding &Diag =
      Checks.report(finding::RegistrationKey, *Of.In.Unit, Key.Whole,
                    formatv("unknown {0} '{1}'{2}",
                            Value.lower() == Value || OnlyDevices ? "device type" : "dispatch key",
                            Value, "; did you mean '" + Near->Name + "'?"),
                    Of);
  correct(Diag, Of, Key, Known, Checks);
}

void opsig::checkPythonKeys(const PythonCase &Of, PythonChecks &Checks) {
  for (const PythonText &Key : Of.Use.Keys)
    checkKey(Of, Key, Checks);
}

/// An argument for which the function has no parameter: Python itself refuses the call.
void opsig::checkPythonArgument(const PythonCase &Of, PythonChecks &Checks) {
  const LibraryUse &Use = Of.Use;
  const UnitFacts &Unit = *Of.In.Unit;
  const std::string &Name = Use.Op.Value;
  if (Use.Expression == "by-name") {
    Checks.report(finding::PythonRegistration, Unit, Use.At,
                  formatv("'{0}' takes '{1}' by position only; remove '{1}='", Use.Api, Name), Of);
    return;
  }
  if (Use.Expression == "position") {
    Checks.report(finding::PythonRegistration, Unit, Use.At,
                  formatv("'{0}' takes at most {1} arguments by position; pass the others by name",
                          Use.Api, Name),
                  Of);
    return;
  }
  std::vector<StringRef> Known;
  for (const PythonText &Key : Use.Keys)
    Known.push_back(Key.Value);
  Finding &Diag = Checks.report(
      finding::PythonRegistration, Unit, Use.At,
      formatv("'{0}' has no parameter '{1}'{2}", Use.Api, Name, meant(Name, Known)), Of);
  correct(Diag, Of, Use.Op, Known, Checks);
}

/// custom_op() chooses the kernel of a device by an argument where it gets no tensor, and makes a
/// fake kernel itself.
void opsig::checkPythonDevices(const PythonCase &Of, bool IsCustomOp, PythonChecks &Checks) {
  bool IsKernel = Of.Use.What == "kernel" && IsCustomOp;
  if ((Of.Use.What != "custom-op" && !IsKernel) || Of.Use.Keys.empty() || !Of.hasSchema())
    return;
  for (const PythonText &Key : Of.Use.Keys)
    if (Key.Value == "meta" && !Checks.library().ReplacesKernels)
      Checks.report(finding::PythonRegistration, *Of.In.Unit, Key.Whole,
                    formatv("custom_op() already registers a fake kernel for '{0}', so PyTorch {1} "
                            "rejects a kernel for 'meta'; use register_fake()",
                            Of.Op, Checks.dialect().Name),
                    Of);
  for (const Argument &Arg : Of.Schema.Schema->Args.All)
    if (Arg.Ty.isTensorLike() || (Arg.Name == "device" && Arg.Ty.is(BaseTy::Device)))
      return;
  Checks.report(finding::PythonRegistration, *Of.In.Unit, Of.Use.Keys.front().Whole,
                formatv("{0} has no tensor argument, so a kernel for a device type needs an "
                        "argument 'Device device'",
                        Of.opName()),
                Of);
}

void opsig::checkPythonLibraries(const PythonUnit &In, PythonChecks &Checks) {
  for (const PythonLibrary &L : In.Facts.Libraries) {
    PythonCase Of{In, {}, {}, {}, {}, ""};
    ArrayRef<StringRef> Kinds = Checks.library().Kinds;
    bool IsMade = !L.Kind.IsKnown || is_contained(Kinds, L.Kind.Value);
    if (!IsMade) {
      Finding &Diag = Checks.report(
          finding::PythonRegistration, *In.Unit, L.Kind.Whole,
          formatv("invalid Library kind '{1}'; expected one of: {0}",
                  join(map_range(Kinds, [](StringRef K) { return ("'" + K + "'").str(); }), ", "),
                  L.Kind.Value),
          Of);
      correct(Diag, Of, L.Kind, Kinds, Checks);
    }
    if (L.Namespace.Value == "prim" && (L.Kind.Value == "DEF" || L.Kind.Value == "FRAGMENT"))
      Checks.report(finding::RegistrationNamespace, *In.Unit, L.Namespace.Whole,
                    "the namespace 'prim' is reserved; define the operator in another namespace",
                    Of);
    checkKey(Of, L.Key, Checks);
    if (!IsMade)
      continue;
    if (L.Lost == "statement")
      Checks.report(finding::PythonLibraryLifetime, *In.Unit, L.At,
                    "this Library and its registrations are destroyed at the end of the statement; "
                    "store the Library in a module-level variable",
                    Of);
    else if (L.Lost == "function")
      Checks.report(finding::PythonLibraryLifetime, *In.Unit, L.At,
                    "this Library and its registrations are destroyed when the function returns; "
                    "store the Library in a module-level variable",
                    Of);
  }
}

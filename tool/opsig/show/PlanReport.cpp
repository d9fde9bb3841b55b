//===- PlanReport.cpp - Plans as JSON and as text ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "show/OpReport.h"
#include "show/PlanReport.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/SafeText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

namespace opsig {
namespace {

std::string placeText(const Place &At, const SourceFiles &Files) {
  return (Files.name(At.File) + ":" + llvm::Twine(At.Line)).str();
}

std::string guardText(const PlannedRegistration &R) {
  if (R.GuardsOutputs)
    return "outputs";
  switch (R.Devices.Guards) {
  case DeviceHandling::Guard::None:
    return "none";
  case DeviceHandling::Guard::OfOptions:
    return "options";
  case DeviceHandling::Guard::OfArgument:
    return R.Devices.GuardArg.str();
  }
  llvm_unreachable("unknown guard");
}

//===-- JSON ----------------------------------------------------------------===//

void printAttribute(llvm::json::OStream &J, llvm::StringRef Name, llvm::StringRef Value) {
  if (!Value.empty())
    J.attribute(Name, Value);
}

void printRegistration(llvm::json::OStream &J, const PlannedRegistration &R,
                       const SourceFiles &Files) {
  J.attribute("kind", R.Kind);
  J.attribute("wrapper", R.Wrapper);
  printAttribute(J, "calls", R.Calls);
  printAttribute(J, "declared_in", R.DeclaredIn);
  printAttribute(J, "class", R.Class);
  printAttribute(J, "parent", R.Parent);
  if (R.Devices.Checks)
    J.attributeArray("device_check", [&] {
      for (llvm::StringRef Arg : R.Devices.CheckedArgs)
        J.value(Arg);
    });
  J.attribute("device_guard", guardText(R));
  printAttribute(J, "direct_header", R.DirectHeader);
  J.attribute("why", R.Why);
  if (R.At.isValid())
    J.attribute("at", placeText(R.At, Files));
}

//===-- Text ----------------------------------------------------------------===//

std::string devicesText(const PlannedRegistration &R) {
  std::string Text;
  if (R.Devices.Checks)
    Text += "; checks the devices of " + (R.Devices.CheckedArgs.empty()
                                              ? std::string("no argument")
                                              : llvm::join(R.Devices.CheckedArgs, ", "));
  if (std::string Guard = guardText(R); Guard != "none")
    Text += "; device guard: " + Guard;
  return Text;
}

void printRegistration(llvm::raw_ostream &OS, const PlannedRegistration &R,
                       const SourceFiles &Files) {
  printRow(OS, toString(R.Key), R.Kind + ": " + R.Wrapper + devicesText(R));
  if (!R.Calls.empty())
    printRow(OS, "",
             "calls " + R.Calls + (R.DeclaredIn.empty() ? "" : " (" + R.DeclaredIn + ")") +
                 (R.Class.empty() ? "" : " through class " + R.Class));
  printPlaceRow(OS, "", "since " + R.Why + (R.At.isValid() ? ", " : ""), R.At, Files);
}

} // namespace

void printPlanJson(llvm::raw_ostream &OS, const OpPlan &Plan, const SourceFiles &Files) {
  printJsonLine(OS, [&](llvm::json::OStream &J) {
    J.object([&] {
      J.attribute("op", Plan.Function->Schema.Name.str());
      J.attribute("schema", Plan.Function->Schema.str());
      J.attributeObject("registrations", [&] {
        for (const PlannedRegistration &R : Plan.Registrations)
          J.attributeObject(toString(R.Key), [&] { printRegistration(J, R, Files); });
      });
      J.attributeArray("unregistered", [&] {
        for (const UnregisteredKeys &U : Plan.Unregistered)
          J.object([&] {
            J.attribute("why", U.Why);
            J.attributeArray("keys", [&] {
              for (DispatchKey Key : U.Keys)
                J.value(toString(Key));
            });
          });
      });
      J.attributeObject("parts", [&] {
        for (const PlannedPart &P : Plan.Parts)
          J.attributeObject(P.Family, [&] {
            J.attribute("kind", P.Kind);
            printAttribute(J, "what", P.What);
            printAttribute(J, "why", P.Why);
          });
      });
      J.attributeArray("headers", [&] {
        for (const std::string &Header : Plan.Headers)
          J.value(Header);
      });
    });
  });
}

void printPlanText(llvm::raw_ostream &OS, const OpPlan &Plan, const SourceFiles &Files) {
  printTitle(OS, Plan.Function->Schema.str());
  printPlaceRow(OS, "from", "", Plan.Function->SchemaText.At, Files);
  for (const PlannedRegistration &R : Plan.Registrations)
    printRegistration(OS, R, Files);
  for (const UnregisteredKeys &U : Plan.Unregistered) {
    printRow(
        OS, "not registered",
        llvm::join(llvm::map_range(U.Keys, [](DispatchKey Key) { return toString(Key); }), ", "));
    printRow(OS, "", "since " + U.Why);
  }
  for (const PlannedPart &P : Plan.Parts)
    printRow(OS, P.Family,
             P.Kind + (P.What.empty() ? "" : ": " + P.What) +
                 (P.Why.empty() ? "" : " (" + P.Why + ")"));
  printRow(OS, "headers", llvm::join(Plan.Headers, "  "));
}

} // namespace opsig

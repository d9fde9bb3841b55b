//===- CoverageText.cpp - Coverage as text, markdown and JSON ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ColumnsInternal.h"
#include "opsig/Coverage/CoveragePrint.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/SafeText.h"
#include "opsig/Support/TextLayout.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

//===-- Columns -------------------------------------------------------------===//

std::vector<NamedColumn> nameColumns(const CoverageReport &Report) {
  std::vector<NamedColumn> Named;
  for (const KeyColumn &Column : joinAlike(Report)) {
    std::vector<StringRef> Names;
    for (size_t Key : Column.Members)
      Names.push_back(Report.Input->Keys.name(Report.Keys[Key]));
    std::string Name = Names.front().str();
    if (Names.size() > 1)
      Name += " +" + std::to_string(Names.size() - 1);
    Named.push_back({Column.Members.front(), std::move(Name), join(Names, ", "), Names.size()});
  }
  return Named;
}

std::string placeText(const CoveredKernel &Kernel) {
  if (Kernel.File.empty())
    return "";
  return Kernel.Line ? Kernel.File + ":" + std::to_string(Kernel.Line) : Kernel.File;
}

bool isOwn(const CoveredKernel &Kernel) {
  return Kernel.Is == Service::Own || Kernel.Is == Service::Wrapper;
}

const CoveredKernel *ownKernel(const CoverageReport &Report, const CoverageRow &Row) {
  for (const CoverageCell &Cell : Row.Cells)
    if (const CoveredKernel *Kernel = Report.kernel(Cell); Kernel && isOwn(*Kernel))
      return Kernel;
  return nullptr;
}

std::vector<Service> servicesThere(const CoverageReport &Report) {
  std::vector<Service> There;
  for (unsigned S = 0; S != NumServices; ++S)
    if (any_of(Report.Counts, [&](const ServiceCounts &Of) { return Of[S] != 0; }))
      There.push_back(Service(S));
  return There;
}

//===-- Text ----------------------------------------------------------------===//

namespace {

/// A row for each key: how many operators each kind of service has, and which part of them.
void printCounts(raw_ostream &OS, const CoverageReport &Report) {
  std::vector<Service> There = servicesThere(Report);
  TextTable Table("l" + std::string(There.size(), 'r'));
  std::vector<std::string> Titles{"key"};
  for (Service S : There)
    Titles.push_back(toString(S).str());
  Table.add(std::move(Titles));
  for (auto [Key, Counts] : zip(Report.Keys, Report.Counts)) {
    std::vector<std::string> Cells{Report.Input->Keys.name(Key).str()};
    for (Service S : There)
      Cells.push_back(std::to_string(Counts[unsigned(S)]) + " (" +
                      percentOf(Counts[unsigned(S)], Report.NumOperators) + ")");
    Table.add(std::move(Cells));
  }
  Table.print(OS);
}

std::string padded(StringRef Text, size_t Width) {
  return Text.str() + std::string(Width - std::min(Width, Text.size()), ' ');
}

void printRows(raw_ostream &OS, const CoverageReport &Report, ArrayRef<NamedColumn> Columns,
               const TextStyle &Style) {
  size_t Longest = StringRef("operator").size();
  for (const CoverageRow &Row : Report.Rows)
    Longest = std::max(Longest, safeLineStart(Row.Operator->Name).size());
  std::vector<size_t> Widths;
  for (const NamedColumn &Column : Columns) {
    size_t Width = Column.Name.size();
    for (const CoverageRow &Row : Report.Rows)
      Width = std::max(Width, toString(Row.Cells[Column.First].Is).size());
    Widths.push_back(Width);
  }
  auto PrintLine = [&](StringRef Name, function_ref<StringRef(size_t)> Cell, StringRef Last) {
    std::string Line = padded(Name, Longest);
    for (size_t I = 0; I != Columns.size(); ++I)
      Line += "  " + padded(Cell(I), Widths[I]);
    OS << StringRef(Line + "  " + Last.str()).rtrim() << '\n';
  };
  PrintLine("operator", [&](size_t I) { return StringRef(Columns[I].Name); }, "");
  for (const CoverageRow &Row : Report.Rows) {
    const CoveredKernel *Own = ownKernel(Report, Row);
    PrintLine(
        safeLineStart(Row.Operator->Name),
        [&](size_t I) { return toString(Row.Cells[Columns[I].First].Is); },
        Own ? linkedText(Style.address(Own->File), safeText(placeText(*Own))) : "");
  }
}

} // namespace

void printCoverageText(raw_ostream &OS, const CoverageReport &Report, const TextStyle &Style) {
  OS << Style.strong(counted(Report.NumOperators, "operator")) << '\n';
  if (Report.NumOperators)
    printCounts(OS, Report);
  std::vector<NamedColumn> Columns = nameColumns(Report);
  for (const NamedColumn &Column : Columns)
    if (Column.Size > 1)
      OS << Column.Name << ": " << Column.All << '\n';
  if (Report.Rows.empty())
    return;
  OS << '\n';
  printRows(OS, Report, Columns, Style);
}

//===-- Markdown ------------------------------------------------------------===//

static void printMarkdownCounts(raw_ostream &OS, const CoverageReport &Report) {
  std::vector<Service> There = servicesThere(Report);
  OS << "| key |";
  for (Service S : There)
    OS << ' ' << toString(S) << " |";
  OS << "\n|---|";
  for (size_t I = 0; I != There.size(); ++I)
    OS << "---:|";
  OS << '\n';
  for (auto [Key, Counts] : zip(Report.Keys, Report.Counts)) {
    OS << "| " << Report.Input->Keys.name(Key) << " |";
    for (Service S : There)
      OS << ' ' << Counts[unsigned(S)] << " |";
    OS << '\n';
  }
}

void printCoverageMarkdown(raw_ostream &OS, const CoverageReport &Report) {
  OS << counted(Report.NumOperators, "operator") << ".\n\n";
  printMarkdownCounts(OS, Report);
  OS << '\n';
  for (Service S : servicesThere(Report))
    OS << "- **" << toString(S) << "**: " << meaning(S) << '\n';
  if (Report.Rows.empty())
    return;
  std::vector<NamedColumn> Columns = nameColumns(Report);
  OS << '\n';
  for (const NamedColumn &Column : Columns)
    if (Column.Size > 1)
      OS << "- " << Column.Name << ": " << Column.All << '\n';
  OS << "\n| operator |";
  for (const NamedColumn &Column : Columns)
    OS << ' ' << Column.Name << " |";
  OS << " kernel |\n|---|";
  for (size_t I = 0; I != Columns.size(); ++I)
    OS << "---|";
  OS << "---|\n";
  for (const CoverageRow &Row : Report.Rows) {
    OS << "| " << markdownCode(Row.Operator->Name) << " |";
    for (const NamedColumn &Column : Columns)
      OS << ' ' << toString(Row.Cells[Column.First].Is) << " |";
    const CoveredKernel *Own = ownKernel(Report, Row);
    OS << ' ' << (Own ? markdownText(placeText(*Own)) : "") << " |\n";
  }
}

//===-- JSON ----------------------------------------------------------------===//

namespace {

void printJsonHead(raw_ostream &OS, const CoverageReport &Report) {
  printJsonLine(OS, [&](json::OStream &J) {
    J.object([&] {
      J.attributeArray("keys", [&] {
        for (KeyId Key : Report.Keys)
          J.value(Report.Input->Keys.name(Key));
      });
      J.attribute("operators", Report.NumOperators);
      J.attributeObject("counts", [&] {
        for (auto [Key, Counts] : zip(Report.Keys, Report.Counts))
          J.attributeObject(Report.Input->Keys.name(Key), [&, &Of = Counts] {
            for (unsigned S = 0; S != NumServices; ++S)
              if (Of[S])
                J.attribute(toString(Service(S)), Of[S]);
          });
      });
    });
  });
}

/// The kernels of a row, each once.
class RowKernels {
public:
  explicit RowKernels(const CoverageRow &Row) {
    for (const CoverageCell &Cell : Row.Cells)
      if (Cell.Kernel != NoKernel && Numbers.try_emplace(Cell.Kernel, Order.size()).second)
        Order.push_back(Cell.Kernel);
  }
  unsigned number(KernelId Kernel) const { return Numbers.lookup(Kernel); }
  ArrayRef<KernelId> order() const { return Order; }

private:
  SmallVector<KernelId, 8> Order;
  SmallDenseMap<KernelId, unsigned, 8> Numbers;
};

void printJsonKernel(raw_ostream &OS, const CoveredKernel &Kernel) {
  json::Value Is = json::Object{{"name", utf8(Kernel.Name)},
                                {"file", utf8(Kernel.File)},
                                {"line", Kernel.Line},
                                {"column", Kernel.Column}};
  OS << safeJson(formatv("{0}", Is).str());
}

/// Names of keys, services and rules are made of letters, digits, '-' and ' ': they stand in JSON
/// as they are, and there are some hundred thousands of them.
void printJsonRow(raw_ostream &OS, const CoverageReport &Report, const CoverageRow &Row) {
  RowKernels Kernels(Row);
  OS << "{\"op\":" << safeJson(formatv("{0}", json::Value(utf8(Row.Operator->Name))).str())
     << ",\"kernels\":[";
  ListSeparator Comma(",");
  for (KernelId Kernel : Kernels.order()) {
    OS << Comma;
    printJsonKernel(OS, Report.Input->Kernels[Kernel]);
  }
  OS << "],\"cells\":{";
  ListSeparator CellComma(",");
  for (auto [Key, Cell] : zip(Report.Keys, Row.Cells)) {
    OS << CellComma << '"' << Report.Input->Keys.name(Key) << "\":{\"served\":\""
       << toString(Cell.Is) << "\",\"rule\":\"" << toString(Cell.By) << '"';
    if (Cell.Kernel != NoKernel)
      OS << ",\"kernel\":" << Kernels.number(Cell.Kernel);
    OS << '}';
  }
  OS << "}}\n";
}

} // namespace

void printCoverageJson(raw_ostream &OS, const CoverageReport &Report) {
  printJsonHead(OS, Report);
  for (const CoverageRow &Row : Report.Rows)
    printJsonRow(OS, Report, Row);
}

} // namespace opsig

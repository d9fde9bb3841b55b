//===- Show.cpp - opsig show ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Memory.h"
#include "SchemaInput.h"
#include "Subcommands.h"
#include "gen/AtenKeys.h"
#include "gen/TorchSymbols.h"
#include "show/FactsReport.h"
#include "show/FileShow.h"
#include "show/OpReport.h"
#include "show/PlanReport.h"
#include "show/SchemaReport.h"
#include "opsig/Operators/OperatorSuggestion.h"
#include "opsig/Support/OutputTree.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/WithColor.h"

namespace cl = llvm::cl;

namespace opsig {
namespace {

class ShowCommand : public Subcommand {
public:
  ShowCommand() = default;

  llvm::StringRef words() const override { return "show"; }
  llvm::StringRef operands() const override {
    return "(OP... | SCHEMA... | OP FILE... [-- FLAGS] | --all)";
  }
  cl::SubCommand &parser() override { return Sub; }
  Choices choices() override {
    Choices Out = Files.choices();
    Out.emplace_back("format", &Format.getParser());
    return Out;
  }

  int run(const std::vector<std::string> &AfterDashes) override {
    keepMemoryInLargePages();
    std::vector<std::string> Names(Ops.begin(), Ops.end());
    if (namesFiles(Names))
      return statusOf(showInFiles(Names, AfterDashes));
    Names.insert(Names.end(), AfterDashes.begin(), AfterDashes.end());
    if (llvm::StringRef Why = misuse(Names); !Why.empty()) {
      llvm::WithColor::error(llvm::errs(), "opsig") << Why << "\n";
      return ExitUnusable;
    }
    auto Unusable = [](llvm::Error Err) {
      complain(std::move(Err));
      return ExitUnusable;
    };
    llvm::Expected<SchemaSource> Source = findSchemas(Schemas, ".", llvm::errs());
    if (!Source)
      return Unusable(Source.takeError());
    if (areSchemas(Names))
      return showSchemas(Names, *Source);
    if (Facts)
      return print([&](llvm::raw_ostream &OS) {
        Format == OutputFormat::Json ? printFactsJson(OS, *Source->Facts)
                                     : printFactsText(OS, *Source->Facts);
      });
    llvm::Expected<AtenKeys> Keys = chooseAtenKeys(keyRequest(), *Source->D);
    if (!Keys)
      return Unusable(Keys.takeError());
    // Signatures are shown of every kernel, plans of those that a build has.
    if (Plan)
      Source->DroppedKeys = Keys->Dropped;
    SchemasOfRun Loaded = loadFor(Names, *Source);
    if (!Loaded)
      return ExitUnusable;
    if (llvm::Error Err = checkStaticDispatch(Keys->StaticDispatch, *Loaded->Ops))
      return Unusable(std::move(Err));
    std::optional<std::vector<const NativeFunction *>> Chosen = choose(Names, *Loaded);
    if (!Chosen)
      return ExitUnusable;
    return print([&](llvm::raw_ostream &OS) {
      if (Plan)
        printPlans(OS, *Chosen, *Loaded, std::move(*Keys));
      else
        printReports(OS, *Chosen, *Loaded);
    });
  }

private:
  /// What is wrong with the command line; "" if nothing is.
  llvm::StringRef misuse(llvm::ArrayRef<std::string> Names) const {
    if (Facts ? !Names.empty() || All || Plan : Names.empty() == !All)
      return "pass operators to show, --all for all of them, or --facts alone";
    if (!areSchemas(Names) && llvm::any_of(Names, isSchema))
      return "pass either operator names or schemas, not both";
    if (areSchemas(Names) && (Plan || Translate))
      return "--plan and --translate need names of PyTorch operators, not schemas";
    if (!Plan && (Mps || Xpu || Mtia || !StaticDispatch.empty()))
      return "--mps, --xpu, --mtia and --static-dispatch-backend need --plan";
    return "";
  }

  /// Operators whose names are written out need only their own families.
  SchemasOfRun loadFor(llvm::ArrayRef<std::string> Names, const SchemaSource &Source) const {
    bool AreWrittenOut = llvm::none_of(Names, [](llvm::StringRef Name) {
      return Name.find_first_of("*?[") != llvm::StringRef::npos;
    });
    if (AreWrittenOut && !Plan) {
      llvm::SmallVector<llvm::StringRef> Wanted(Names.begin(), Names.end());
      SchemasOfRun Loaded = loadFamilies(Source, Wanted, Schemas.Verbose);
      if (Loaded && llvm::all_of(Names, [&](const std::string &Name) {
            return !matches(Name, *Loaded).empty();
          }))
        return Loaded;
    }
    return loadOrComplain(Source, OutputFormat::Text, Schemas.Verbose);
  }

  /// A name of an operator has no parenthesis.
  static bool isSchema(llvm::StringRef Word) { return Word.contains('('); }
  static bool areSchemas(llvm::ArrayRef<std::string> Words) {
    return !Words.empty() && llvm::all_of(Words, isSchema);
  }

  /// "ns::op csrc my_package"; "ns::op*" is a pattern of operators.
  static bool namesFiles(llvm::ArrayRef<std::string> Words) {
    return Words.size() > 1 && llvm::StringRef(Words[0]).contains("::") && !isSchema(Words[0]) &&
           llvm::any_of(Words.drop_front(), [](llvm::StringRef Word) {
             return llvm::sys::fs::exists(Word) || (isPathGlob(Word) && Word.contains('/'));
           });
  }

  llvm::Expected<int> showInFiles(llvm::ArrayRef<std::string> Words,
                                  const std::vector<std::string> &Flags) {
    if (All || Facts || Plan || Translate)
      return llvm::createStringError(
          "--all, --facts, --plan and --translate cannot be combined with files");
    return Files.show(Words, Flags, Schemas, Format, [&](auto Reports) { return print(Reports); });
  }

  int showSchemas(llvm::ArrayRef<std::string> Texts, const SchemaSource &Source) {
    ShownRelease In{*Source.D, Source.Version.Text, hasStableHeaders(Source),
                    hasSymbols(Source.TorchRoot)};
    std::vector<SchemaReport> Reports;
    for (const std::string &Text : Texts)
      if (std::optional<FunctionSchema> S = readShownSchema(Text, *Source.D, llvm::errs()))
        Reports.push_back(schemaReport(std::move(*S), In));
    int Status = print([&](llvm::raw_ostream &OS) {
      for (const SchemaReport &Report : Reports) {
        if (Format == OutputFormat::Json) {
          printJson(OS, Report);
          continue;
        }
        if (&Report != Reports.data())
          OS << '\n';
        printText(OS, Report);
      }
    });
    return Reports.size() == Texts.size() ? Status : int(ExitUnusable);
  }

  /// Without a PyTorch at hand, as if it had them.
  static bool hasStableHeaders(const SchemaSource &Source) {
    std::vector<std::string> Folders = torchHeaderFolders(Source.TorchRoot);
    return Source.TorchRoot.empty() || Folders.empty() ||
           llvm::any_of(Folders, [](const std::string &Folder) {
             return llvm::sys::fs::exists(joinedPath(Folder, "torch/csrc/stable/library.h"));
           });
  }

  AtenKeyRequest keyRequest() const {
    AtenKeyRequest Request{.Mps = Mps, .Xpu = Xpu, .Mtia = Mtia};
    Request.StaticDispatch.assign(StaticDispatch.begin(), StaticDispatch.end());
    return Request;
  }

  /// PyTorch's operators, then those that the YAML of backends defines, of which no plan is made.
  std::vector<const NativeFunction *> allOf(const LoadedSchemas &Loaded) const {
    std::vector<const NativeFunction *> Out;
    for (const NativeFunction &F : Loaded.Ops->Functions)
      Out.push_back(&F);
    for (const ExternalBackend &Backend : Loaded.Backends)
      if (Backend.Custom && !Plan)
        for (const NativeFunction &F : *Backend.Custom)
          Out.push_back(&F);
    return Out;
  }

  static const NativeFunction *findCustom(llvm::StringRef Name, const LoadedSchemas &Loaded) {
    for (const ExternalBackend &Backend : Loaded.Backends)
      if (const NativeFunction *Custom = Backend.findCustom(Name))
        return Custom;
    return nullptr;
  }

  /// An exact name, else a pattern of names, else a base name that stands for all its overloads.
  std::vector<const NativeFunction *> matches(llvm::StringRef Name,
                                              const LoadedSchemas &Loaded) const {
    if (const NativeFunction *Custom = Plan ? nullptr : findCustom(Name, Loaded))
      return {Custom};
    Name.consume_front("aten::");
    if (const NativeFunction *Exact = Loaded.Ops->find(Name))
      return {Exact};
    llvm::Expected<llvm::GlobPattern> Pattern = llvm::GlobPattern::create(Name);
    if (!Pattern)
      llvm::consumeError(Pattern.takeError());
    bool IsPattern = Pattern && Name.find_first_of("*?[") != llvm::StringRef::npos;
    std::vector<const NativeFunction *> Found;
    for (const NativeFunction *F : allOf(Loaded)) {
      std::string Full = F->shownName();
      llvm::StringRef Base = llvm::StringRef(Full).drop_back(F->Schema.Name.str().size());
      if (IsPattern ? Pattern->match(Full) : Base.str() + F->Schema.Name.Name.str() == Name)
        Found.push_back(F);
    }
    return Found;
  }

  std::vector<std::string> namesOf(const LoadedSchemas &Loaded) const {
    std::vector<std::string> Names;
    for (const NativeFunction *F : allOf(Loaded))
      Names.push_back(F->shownName());
    return Names;
  }

  std::string whyNone(const std::string &Name, const LoadedSchemas &Loaded,
                      OperatorNameIndex &Known) const {
    if (findCustom(Name, Loaded))
      return "'" + Name + "' is not an operator of PyTorch; nothing is generated for it";
    std::string Unknown = "unknown operator '" + Name + "'";
    if (llvm::sys::fs::exists(Name))
      return Unknown +
             "; to search files, put the operator and its namespace first: opsig show "
             "NAMESPACE::NAME " +
             Name;
    // Python and C++ write a module or a namespace before it.
    llvm::StringRef Bare = Name;
    for (llvm::StringRef Prefix : {"torch.", "ops.", "aten.", "at::", "torch::", "Tensor."})
      Bare.consume_front(Prefix);
    if (Bare.size() != Name.size() && Known.hasOperator(Bare.split('.').first))
      return Unknown + "; did you mean '" + Bare.str() + "'?";
    // The index has PyTorch's own operators without their namespace.
    llvm::StringRef InIndex = Name;
    InIndex.consume_front("aten::");
    std::string Meant = Known.didYouMean(InIndex);
    // An operator of the user's own is in files.
    if (Meant.empty() && llvm::StringRef(Name).contains("::"))
      return Unknown + "; to search files for this operator, pass the files after it: opsig show " +
             Name + " FILE...";
    return Unknown + Meant;
  }

  /// Reports every name that matches nothing.
  std::optional<std::vector<const NativeFunction *>> choose(llvm::ArrayRef<std::string> Names,
                                                            const LoadedSchemas &Loaded) {
    std::vector<const NativeFunction *> Chosen;
    if (All)
      Chosen = allOf(Loaded);
    bool Missing = false;
    std::vector<std::string> Known = namesOf(Loaded);
    OperatorNameIndex Index(std::vector<llvm::StringRef>(Known.begin(), Known.end()));
    for (const std::string &Name : Names) {
      std::vector<const NativeFunction *> Found = matches(Name, Loaded);
      if (Found.empty()) {
        complain(llvm::createStringError(whyNone(Name, Loaded, Index)));
        Missing = true;
      }
      llvm::append_range(Chosen, Found);
    }
    if (Missing)
      return std::nullopt;
    return Chosen;
  }

  void printReports(llvm::raw_ostream &OS, llvm::ArrayRef<const NativeFunction *> Chosen,
                    const LoadedSchemas &Loaded) {
    OpReporter Reporter(*Loaded.Ops, Loaded.Backends);
    for (const NativeFunction *F : Chosen) {
      OpReport Report = Reporter.report(*F, Translate);
      if (Format == OutputFormat::Json) {
        printJson(OS, Report);
        continue;
      }
      if (F != Chosen.front())
        OS << '\n';
      printText(OS, Report, Loaded.Files);
    }
  }

  /// What `gen aten` makes of the functions with no options but those about keys.
  void printPlans(llvm::raw_ostream &OS, llvm::ArrayRef<const NativeFunction *> Chosen,
                  const LoadedSchemas &Loaded, AtenKeys Keys) {
    AtenOptions Options;
    Options.PerOperatorHeaders = true;
    TemplateSet Templates(TemplateOrigin::Embedded, Loaded.Files);
    Selector All = Selector::all();
    AtenInput Input{*Loaded.Ops,
                    Options,
                    Templates,
                    All,
                    All,
                    std::move(Keys.Registered),
                    std::move(Keys.WithFunctions),
                    std::move(Keys.StaticDispatch)};
    OpPlanner Planner(Input, Loaded.Backends);
    for (const NativeFunction *F : Chosen) {
      OpPlan Planned = Planner.plan(*F);
      if (Format == OutputFormat::Json) {
        printPlanJson(OS, Planned, Loaded.Files);
        continue;
      }
      if (F != Chosen.front())
        OS << '\n';
      printPlanText(OS, Planned, Loaded.Files);
    }
  }

  int print(llvm::function_ref<void(llvm::raw_ostream &)> Reports) {
    if (Output.empty() || Output == "-") {
      Reports(llvm::outs());
      return ExitClean;
    }
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    Reports(OS);
    OutputTree Tree;
    Tree.add(Output, std::move(Text));
    if (llvm::Error Err = Tree.commit().takeError()) {
      complain(std::move(Err));
      return ExitUnusable;
    }
    return ExitClean;
  }

  cl::SubCommand Sub{"show", "Print the signatures of operators in every calling convention, or "
                             "what is generated for them"};
  SchemaOptions Schemas{Sub};
  FileShow Files{Sub};
  cl::list<std::string> Ops{cl::Positional, cl::sub(Sub),
                            cl::desc("OP... | SCHEMA... | OP FILE...")};
  cl::opt<bool> All{"all", cl::sub(Sub), cl::desc("Print every operator, in torchgen's order")};
  cl::opt<bool> Translate{"translate", cl::sub(Sub),
                          cl::desc("Also print how the arguments of a call are translated "
                                   "from one calling convention to another")};
  cl::opt<bool> Facts{
      "facts", cl::sub(Sub),
      cl::desc("Instead of operators, print which lists are read from the release's torchgen, and "
               "which are not")};
  cl::opt<bool> Plan{"plan", cl::sub(Sub),
                     cl::desc("Instead of signatures, print what `gen aten` generates, and why")};
  cl::opt<bool> Mps{"mps", cl::sub(Sub), cl::desc("With --plan: assume a build that includes MPS")};
  cl::opt<bool> Xpu{"xpu", cl::sub(Sub), cl::desc("With --plan: assume a build that includes XPU")};
  cl::opt<bool> Mtia{"mtia", cl::sub(Sub),
                     cl::desc("With --plan: assume a build that includes MTIA")};
  cl::list<std::string> StaticDispatch{
      "static-dispatch-backend", cl::sub(Sub), cl::value_desc("KEY"), cl::CommaSeparated,
      cl::desc("With --plan: assume a build that calls KEY's kernels directly")};
  cl::opt<OutputFormat> Format{
      "format", cl::sub(Sub), cl::desc("Choose the output format"), cl::init(OutputFormat::Text),
      cl::values(clEnumValN(OutputFormat::Text, "text", "Human-readable text"),
                 clEnumValN(OutputFormat::Json, "json", "One JSON object per line"))};
  cl::opt<std::string> Output{"output", cl::sub(Sub), cl::value_desc("FILE"),
                              cl::desc("Write to FILE instead of standard output")};
};

} // namespace

std::unique_ptr<Subcommand> makeShowCommand() { return std::make_unique<ShowCommand>(); }

} // namespace opsig

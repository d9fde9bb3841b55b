//===- Stamp.cpp - Runs of a generator that have nothing to do --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gen/Stamp.h"
#include "opsig/Support/ReadFile.h"
#include "opsig/Support/StagedFiles.h"
#include "opsig/Torchgen/Torchgen.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/xxhash.h"
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

namespace cl = llvm::cl;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

namespace {

constexpr llvm::StringLiteral FirstLine = "opsig stamp 1\n";

std::string hex(uint64_t Hash) { return llvm::utohexstr(Hash, /*LowerCase=*/true, /*Width=*/16); }

/// Reads files one after the other into the same memory: thousands of them are small.
class FileHasher {
public:
  /// Nothing where there is no file that can be read.
  std::optional<uint64_t> hash(const char *Path) {
    // A pipe that nobody writes to must not be waited for.
    int FD = ::open(Path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (FD == -1)
      return std::nullopt;
    std::optional<size_t> Size = readAll(FD);
    ::close(FD);
    if (!Size)
      return std::nullopt;
    return llvm::xxh3_64bits(llvm::StringRef(Buffer.get(), *Size));
  }

private:
  std::optional<size_t> readAll(int FD) {
    size_t Size = 0;
    while (true) {
      ssize_t Read = ::read(FD, Buffer.get() + Size, Room - Size);
      if (Read < 0 && errno != EINTR)
        return std::nullopt;
      Size += std::max<ssize_t>(Read, 0);
      // Files give less than they are asked for at their end only; to ask again takes time.
      if (Read >= 0 && Size < Room)
        return Size;
      if (Size == Room)
        grow();
    }
  }

  void grow() {
    std::unique_ptr<char[]> Larger = std::make_unique_for_overwrite<char[]>(Room * 2);
    std::memcpy(Larger.get(), Buffer.get(), Room);
    Buffer = std::move(Larger);
    Room *= 2;
  }

  size_t Room = 1 << 20;
  std::unique_ptr<char[]> Buffer = std::make_unique_for_overwrite<char[]>(Room);
};

std::string fileLine(std::optional<uint64_t> Hash, llvm::StringRef Path) {
  return (Hash ? hex(*Hash) : std::string(16, '-')) + " " + Path.str() + "\n";
}

/// The build ids of the program and of the libraries that it runs with; of one that has none, the
/// hash of its bytes.
class ProgramIds {
public:
  ProgramIds() { ::dl_iterate_phdr(visit, this); }
  std::string Text;

private:
  static int visit(dl_phdr_info *Info, size_t, void *Self) {
    static_cast<ProgramIds *>(Self)->add(*Info);
    return 0;
  }

  void add(const dl_phdr_info &Info) {
    llvm::StringRef Name = Info.dlpi_name;
    if (Name.contains("vdso")) // the kernel's
      return;
    for (const ElfW(Phdr) &Header : llvm::ArrayRef(Info.dlpi_phdr, Info.dlpi_phnum))
      if (Header.p_type == PT_NOTE)
        if (llvm::StringRef Id = buildId(
                {reinterpret_cast<const char *>(Info.dlpi_addr + Header.p_vaddr), Header.p_memsz});
            !Id.empty()) {
          Text += llvm::toHex(Id, /*LowerCase=*/true) + "\n";
          return;
        }
    Text += fileLine(Hasher.hash(Name.empty() ? "/proc/self/exe" : Info.dlpi_name), Name);
  }

  static llvm::StringRef buildId(llvm::StringRef Notes) {
    while (Notes.size() >= sizeof(ElfW(Nhdr))) {
      ElfW(Nhdr) Header;
      std::memcpy(&Header, Notes.data(), sizeof(Header));
      Notes = Notes.drop_front(sizeof(Header));
      llvm::StringRef Owner = Notes.take_front(Header.n_namesz);
      Notes = Notes.drop_front(std::min<size_t>(llvm::alignTo(Header.n_namesz, 4), Notes.size()));
      if (Header.n_type == NT_GNU_BUILD_ID && Owner.rtrim('\0') == "GNU")
        return Notes.take_front(Header.n_descsz);
      Notes = Notes.drop_front(std::min<size_t>(llvm::alignTo(Header.n_descsz, 4), Notes.size()));
    }
    return "";
  }

  FileHasher Hasher;
};

/// Where \p Path leads, of which the last parts need not be there yet.
std::string settled(llvm::StringRef Path) {
  llvm::SmallString<256> Absolute(Path), Real;
  fs::make_absolute(Absolute);
  path::remove_dots(Absolute);
  llvm::StringRef There = Absolute;
  while (!There.empty() && fs::real_path(There, Real))
    There = path::parent_path(There);
  if (llvm::StringRef Rest = Absolute.str().drop_front(There.size()); !Rest.empty())
    path::append(Real, path::relative_path(Rest));
  return Real.str().str();
}

bool isIn(llvm::StringRef File, llvm::StringRef Folder) {
  return File.consume_front(Folder) && (File.empty() || File.starts_with("/"));
}

/// The stamp must not be what it tells of.
llvm::Error checkPlace(const StampRequest &Request) {
  std::string File = settled(Request.File);
  for (const std::string &Folder : Request.OutputFolders)
    if (isIn(File, settled(Folder)))
      return llvm::createStringError("--stamp: '" + Request.File + "' is in the output folder '" +
                                     Folder + "'; put it into another folder");
  for (const std::string &Input : Request.Inputs)
    if (fs::equivalent(Input, Request.File))
      return llvm::createStringError("--stamp: '" + Request.File + "' is also an input file");
  return llvm::Error::success();
}

std::string headOf(const StampRequest &Request) {
  std::string Run = ProgramIds().Text;
  llvm::SmallString<256> Here;
  fs::current_path(Here);
  Run += Here;
  for (const std::string &Word : llvm::concat<const std::string>(Request.Words, Request.Lookups)) {
    Run += '\0';
    Run += Word;
  }
  std::string Head = FirstLine.str() + "run " + hex(llvm::xxh3_64bits(Run)) + "\n";
  FileHasher Hasher;
  for (const std::string &Input : Request.Inputs)
    Head += fileLine(Hasher.hash(Input.c_str()), Input);
  return Head + "makes\n";
}

} // namespace

llvm::Expected<std::unique_ptr<Stamp>> Stamp::of(StampRequest Request) {
  if (Request.File.empty())
    return llvm::createStringError("--stamp needs a file name");
  for (llvm::StringRef Word : Request.Words)
    if (Word.starts_with("@"))
      return llvm::createStringError(
          "with --stamp, all options must be on the command line, not in '" + Word + "'");
  llvm::sort(Request.Inputs);
  if (llvm::Error Err = checkPlace(Request))
    return std::move(Err);
  auto Result = std::make_unique<Stamp>();
  Result->Head = headOf(Request);
  Result->Request = std::move(Request);
  return Result;
}

bool Stamp::isUpToDate() const {
  if (Head.empty())
    return false;
  auto Buffer = readWholeFile(Request.File);
  if (!Buffer) {
    llvm::consumeError(Buffer.takeError());
    return false;
  }
  // Whole it is only with the hash of all that stands before that.
  llvm::StringRef Text = (*Buffer)->getBuffer();
  llvm::StringRef Body = Text.drop_back(std::min<size_t>(Text.size(), 17));
  if (Text.drop_front(Body.size()) != hex(llvm::xxh3_64bits(Body)) + "\n" ||
      !Body.consume_front(Head))
    return false;
  FileHasher Hasher;
  std::string Path;
  while (!Body.empty()) {
    auto [Line, Rest] = Body.split('\n');
    Path = Line.drop_front(std::min<size_t>(Line.size(), 17));
    std::optional<uint64_t> Hash = Hasher.hash(Path.c_str());
    if (!Hash || Line.take_front(16) != hex(*Hash))
      return false;
    Body = Rest;
  }
  return true;
}

void Stamp::recordOutput(llvm::StringRef Path, llvm::StringRef Text) {
  if (Head.empty())
    return;
  uint64_t Hash = llvm::xxh3_64bits(Text);
  std::lock_guard Guard(Lock);
  Outputs[Path.str()] = Hash;
}

std::string Stamp::text() const {
  std::string Text = Head;
  for (const auto &[Path, Hash] : Outputs)
    Text += fileLine(Hash, Path);
  return Text + hex(llvm::xxh3_64bits(Text)) + "\n";
}

llvm::Error Stamp::stage(StagedFiles &Staged) const {
  if (headOf(Request) != Head)
    return llvm::Error::success();
  std::string File = settled(Request.File);
  for (const auto &[Path, Hash] : Outputs)
    // Thousands of names are not followed for nothing.
    if (path::filename(Path) == path::filename(File) && settled(Path) == File)
      return llvm::createStringError("--stamp: '" + Request.File + "' is also an output file");
  return Staged.stage(Request.File, text());
}

void Stamp::cleanFolders() const {
  StagedFiles Staged;
  for (const std::string &Folder : Request.OutputFolders)
    Staged.cleanBeside(Folder + "/" + path::filename(Request.File).str());
}

StampOption::StampOption(cl::SubCommand &Sub)
    : File("stamp", cl::sub(Sub), cl::value_desc("FILE"),
           cl::desc("Generate nothing if the program, options, inputs and outputs still match "
                    "FILE; otherwise also write FILE")) {}

bool StampOption::spares(const Stamp &Of, const SchemaOptions &Schemas) const {
  if (!Of.isUpToDate())
    return false;
  Of.cleanFolders();
  if (Schemas.Verbose)
    llvm::WithColor::note(llvm::errs(), "opsig")
        << "everything still matches '" << File << "'; nothing was generated\n";
  return true;
}

llvm::Error stageStamp(const Stamp &Of, StagedFiles &Staged, const LoadedSchemas &Loaded) {
  if (!Of.isExpected())
    return llvm::Error::success();
  if (Loaded.Diags.empty() && Loaded.Warnings.empty())
    return Of.stage(Staged);
  llvm::WithColor::note(llvm::errs(), "opsig")
      << "no stamp was written, so the next run prints these messages again\n";
  return llvm::Error::success();
}

llvm::Error commitStamped(const OutputTree &Tree, Stamp &Of, const LoadedSchemas &Loaded) {
  StagedFiles Staged;
  for (const OutputTree::File &File : Tree.files()) {
    if (llvm::Error Err = Staged.stage(File.Path, File.Text))
      return Err;
    Of.recordOutput(File.Path, File.Text);
  }
  if (llvm::Error Err = stageStamp(Of, Staged, Loaded))
    return Err;
  return Staged.commit().takeError();
}

std::vector<std::string> schemaInputs(const SchemaSource &Source) {
  std::vector<std::string> Files = {Source.NativeFunctions, Source.Tags, Source.Project.File};
  llvm::append_range(Files, Source.Backends);
  if (!Source.TorchRoot.empty())
    for (llvm::ArrayRef<llvm::StringRef> Places : torchgenFiles())
      for (llvm::StringRef Place : Places) {
        llvm::SmallString<128> Path(Source.TorchRoot);
        path::append(Path, Place);
        Files.push_back(Path.str().str());
      }
  llvm::erase_if(Files, [](const std::string &File) { return File.empty(); });
  return Files;
}

std::vector<std::string> schemaLookups(const SchemaSource &Source) {
  return {Source.D->Name.str(), Source.Version.Text, Source.Templates,
          Source.IsVerified ? "measured" : "not measured",
          Source.IsInstalled ? "installed" : "of the user's"};
}

} // namespace opsig

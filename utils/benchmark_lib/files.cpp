//===- files.cpp - What files cost without a generator ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   files write TREE DEST            writes the texts of TREE into the empty folder DEST
//   files compare TREE DEST INPUT... reads the INPUTs and compares the files of DEST with the texts
//
// The texts of TREE come into memory first, which is not counted. Prints the CPU time, the elapsed
// time, both in seconds, and the number of files. utils/benchmark sets these beside opsig, which
// has to make the texts, too.
//
//===----------------------------------------------------------------------===//
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace {

struct Text {
  std::string Path;
  std::string Bytes;
};

[[noreturn]] void fail(const std::string &What) {
  std::perror(What.c_str());
  std::exit(1);
}

std::string readFile(const std::string &Path) {
  int FD = ::open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat Status;
  if (FD == -1 || ::fstat(FD, &Status) != 0)
    fail(Path);
  std::string Bytes(Status.st_size, '\0');
  if (::read(FD, Bytes.data(), Bytes.size()) != static_cast<ssize_t>(Bytes.size()))
    fail(Path);
  ::close(FD);
  return Bytes;
}

void writeFile(const std::string &Path, const std::string &Bytes) {
  int FD = ::open(Path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (FD == -1 || ::write(FD, Bytes.data(), Bytes.size()) != static_cast<ssize_t>(Bytes.size()))
    fail(Path);
  ::close(FD);
}

/// The texts below \p Tree, with their paths below \p Dest.
std::vector<Text> load(const fs::path &Tree, const fs::path &Dest) {
  std::vector<Text> Texts;
  for (const fs::directory_entry &Entry : fs::recursive_directory_iterator(Tree))
    if (Entry.is_regular_file())
      Texts.push_back({Dest / fs::relative(Entry.path(), Tree), readFile(Entry.path())});
  return Texts;
}

void writeAll(const std::vector<Text> &Texts) {
  std::string Last;
  for (const Text &T : Texts) {
    std::string Folder = T.Path.substr(0, T.Path.rfind('/'));
    if (Folder != Last)
      fs::create_directories(Folder);
    Last = std::move(Folder);
    writeFile(T.Path, T.Bytes);
  }
}

void compareAll(const std::vector<Text> &Texts) {
  for (const Text &T : Texts)
    if (readFile(T.Path) != T.Bytes) {
      std::fprintf(stderr, "%s differs\n", T.Path.c_str());
      std::exit(1);
    }
}

double cpuSeconds() {
  rusage Usage;
  ::getrusage(RUSAGE_SELF, &Usage);
  auto Seconds = [](const timeval &T) { return T.tv_sec + T.tv_usec / 1e6; };
  return Seconds(Usage.ru_utime) + Seconds(Usage.ru_stime);
}

} // namespace

int main(int NumArgs, char **Args) {
  if (NumArgs < 4)
    return 2;
  std::vector<Text> Texts = load(Args[2], Args[3]);
  double CpuBefore = cpuSeconds();
  auto Start = std::chrono::steady_clock::now();
  if (!std::strcmp(Args[1], "write"))
    writeAll(Texts);
  else
    compareAll(Texts);
  for (int I = 4; I < NumArgs; ++I)
    readFile(Args[I]);
  std::chrono::duration<double> Elapsed = std::chrono::steady_clock::now() - Start;
  std::printf("%f %f %zu\n", cpuSeconds() - CpuBefore, Elapsed.count(), Texts.size());
}

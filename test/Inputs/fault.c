// fault.c - A library that stands before libc and lets calls that change the file system fail
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FAULT=count:0  the steps are counted
// FAULT=kill:N   the N-th step kills the process; if it writes, after half of the bytes
// FAULT=full:N   from the N-th step on there is no space left; what needs none goes on
// FAULT=fail:N   the N-th step fails
// FAULT=save:N   before the N-th step somebody saves FAULT_TEXT as FAULT_FILE
// FAULT_PLAIN=1: the file system can neither exchange files nor tell whether a name is taken
// FAULT_STEPS names a file that holds an int, the number of steps so far.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static enum { Off, Count, Kill, Full, Fail, Save } Mode;
static int Plain;
static int At;
static atomic_int *Steps;

__attribute__((constructor)) static void readSettings(void) {
  const char *Fault = getenv("FAULT"), *File = getenv("FAULT_STEPS");
  if (!Fault || !File)
    return;
  int FD = syscall(SYS_openat, AT_FDCWD, File, O_RDWR);
  Steps = mmap(NULL, sizeof(*Steps), PROT_READ | PROT_WRITE, MAP_SHARED, FD, 0);
  if (Steps == MAP_FAILED)
    abort();
  close(FD);
  Plain = getenv("FAULT_PLAIN") != NULL;
  At = atoi(strchr(Fault, ':') + 1);
  Mode = !strncmp(Fault, "kill", 4)   ? Kill
         : !strncmp(Fault, "full", 4) ? Full
         : !strncmp(Fault, "fail", 4) ? Fail
         : !strncmp(Fault, "save", 4) ? Save
                                      : Count;
}

// As editors do: a new file takes the name.
static void save(void) {
  const char *File = getenv("FAULT_FILE"), *Text = getenv("FAULT_TEXT");
  int FD = syscall(SYS_openat, AT_FDCWD, "saved", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (FD == -1 || syscall(SYS_write, FD, Text, strlen(Text)) < 0 ||
      syscall(SYS_renameat, AT_FDCWD, "saved", AT_FDCWD, File) != 0)
    abort();
  syscall(SYS_close, FD);
}

enum Fate { Goes, Dies, Fails };

static enum Fate nextStep(int NeedsSpace) {
  if (Mode == Off)
    return Goes;
  int Step = atomic_fetch_add(Steps, 1) + 1;
  if (Mode == Kill && Step == At)
    return Dies;
  if (Mode == Save && Step == At)
    save();
  if (Mode == Full && Step >= At && NeedsSpace) {
    errno = ENOSPC;
    return Fails;
  }
  if (Mode == Fail && Step == At) {
    errno = EIO;
    return Fails;
  }
  return Goes;
}

static int fails(int NeedsSpace) {
  enum Fate Fate = nextStep(NeedsSpace);
  if (Fate == Dies)
    raise(SIGKILL);
  return Fate == Fails;
}

#define REAL(Name) ((__typeof__(&Name))dlsym(RTLD_NEXT, #Name))

#define OPEN(Name, Parameters, ...)                                                                \
  int Name Parameters {                                                                            \
    va_list List;                                                                                  \
    va_start(List, Flags);                                                                         \
    int Permissions = va_arg(List, int);                                                           \
    va_end(List);                                                                                  \
    if ((Flags & O_ACCMODE) != O_RDONLY && fails(1))                                               \
      return -1;                                                                                   \
    return REAL(Name)(__VA_ARGS__, Permissions);                                                   \
  }
OPEN(open, (const char *Path, int Flags, ...), Path, Flags)
OPEN(open64, (const char *Path, int Flags, ...), Path, Flags)
OPEN(openat, (int Folder, const char *Path, int Flags, ...), Folder, Path, Flags)
OPEN(openat64, (int Folder, const char *Path, int Flags, ...), Folder, Path, Flags)

#define STEP(Name, NeedsSpace, Parameters, ...)                                                    \
  int Name Parameters { return fails(NeedsSpace) ? -1 : REAL(Name)(__VA_ARGS__); }
STEP(rename, 0, (const char *From, const char *To), From, To)
STEP(renameat, 0, (int D, const char *From, int E, const char *To), D, From, E, To)
int renameat2(int D, const char *From, int E, const char *To, unsigned Flags) {
  if (fails(0))
    return -1;
  if (Plain && Flags) {
    errno = EINVAL;
    return -1;
  }
  return REAL(renameat2)(D, From, E, To, Flags);
}
STEP(link, 0, (const char *From, const char *To), From, To)
STEP(unlink, 0, (const char *Path), Path)
STEP(rmdir, 0, (const char *Path), Path)
STEP(fsync, 0, (int FD), FD)
STEP(fchown, 0, (int FD, uid_t User, gid_t Group), FD, User, Group)
STEP(fsetxattr, 1, (int FD, const char *Name, const void *Value, size_t Size, int Flags), FD, Name,
     Value, Size, Flags)
STEP(fremovexattr, 0, (int FD, const char *Name), FD, Name)
STEP(fchmod, 0, (int FD, mode_t Permissions), FD, Permissions)
STEP(ftruncate, 1, (int FD, off_t Length), FD, Length)

// A folder that is there already is found out before anything else can go wrong.
int mkdir(const char *Path, mode_t Permissions) {
  return access(Path, F_OK) != 0 && fails(1) ? -1 : REAL(mkdir)(Path, Permissions);
}
int mkdirat(int Folder, const char *Path, mode_t Permissions) {
  return faccessat(Folder, Path, F_OK, 0) != 0 && fails(1)
             ? -1
             : REAL(mkdirat)(Folder, Path, Permissions);
}

ssize_t write(int FD, const void *Bytes, size_t Size) {
  enum Fate Fate = FD > STDERR_FILENO ? nextStep(1) : Goes;
  if (Fate == Goes)
    return REAL(write)(FD, Bytes, Size);
  // What a full disk still takes is told by the count, and only the next write fails.
  int TakesHalf = Fate == Dies || (Mode == Full && *Steps == At && Size > 1);
  ssize_t Half = TakesHalf ? REAL(write)(FD, Bytes, Size / 2) : -1;
  if (Fate == Dies)
    raise(SIGKILL);
  return Half;
}

ssize_t pwrite64(int FD, const void *Bytes, size_t Size, off64_t Offset) {
  return fails(1) ? -1 : REAL(pwrite64)(FD, Bytes, Size, Offset);
}
ssize_t writev(int FD, const struct iovec *Parts, int Number) {
  return FD > STDERR_FILENO && fails(1) ? -1 : REAL(writev)(FD, Parts, Number);
}

// What was written may turn out to be lost only now; the descriptor is closed all the same.
int close(int FD) {
  int Flags = Mode == Off || FD <= STDERR_FILENO ? -1 : fcntl(FD, F_GETFL);
  int Fails = Flags != -1 && (Flags & O_ACCMODE) != O_RDONLY && fails(1);
  int Error = errno;
  int Status = REAL(close)(FD);
  if (!Fails)
    return Status;
  errno = Error;
  return -1;
}

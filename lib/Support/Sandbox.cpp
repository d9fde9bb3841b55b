//===- Sandbox.cpp - Threads that only read ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// seccomp looks at the numbers and the first arguments of system calls, which is enough to refuse
// programs, connections and every call that changes a file. Landlock, where the kernel has it,
// refuses the same for paths, whichever call they come from.
//
//===----------------------------------------------------------------------===//
#include "opsig/Support/Sandbox.h"
#include "llvm/Support/thread.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define OPSIG_HAS_SECCOMP 1
#include "llvm/ADT/ArrayRef.h"
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>
#endif

using namespace opsig;

static thread_local bool IsReadOnly = false;

#ifdef OPSIG_HAS_SECCOMP

namespace {

// Calls that are newer than the headers of the oldest system that opsig is built on have these
// numbers on every architecture.
constexpr unsigned CallFchmodat2 = 452, CallSetxattrat = 463, CallRemovexattrat = 466;
constexpr unsigned CallLandlockCreate = 444, CallLandlockRestrict = 446;

/// What starts a program, reaches other processes or the network, or changes what this thread may
/// do. io_uring would do all of it behind the filter's back.
constexpr unsigned ProgramCalls[] = {
    __NR_execve,
    __NR_execveat,
    __NR_socket,
    __NR_socketpair,
    __NR_connect,
    __NR_bind,
    __NR_listen,
    __NR_accept,
    __NR_accept4,
    __NR_ptrace,
    __NR_process_vm_readv,
    __NR_process_vm_writev,
    __NR_kill,
    __NR_tkill,
    __NR_rt_sigqueueinfo,
    __NR_pidfd_open,
    __NR_pidfd_getfd,
    __NR_pidfd_send_signal,
    __NR_mount,
    __NR_umount2,
    __NR_pivot_root,
    __NR_chroot,
    __NR_unshare,
    __NR_setns,
    __NR_bpf,
    __NR_perf_event_open,
    __NR_userfaultfd,
    __NR_io_uring_setup,
    __NR_keyctl,
    __NR_add_key,
    __NR_request_key,
    __NR_open_by_handle_at,
    __NR_init_module,
    __NR_finit_module,
    __NR_kexec_load,
#ifdef __x86_64__
    __NR_fork,
    __NR_vfork,
#endif
};

/// What changes a file or a folder and names it. The calls that open files are asked how.
constexpr unsigned WriteCalls[] = {
    __NR_mkdirat,      __NR_mknodat,   __NR_unlinkat,    __NR_symlinkat,    __NR_linkat,
    __NR_renameat2,    __NR_truncate,  __NR_fchmod,      __NR_fchmodat,     CallFchmodat2,
    __NR_fchown,       __NR_fchownat,  __NR_utimensat,   __NR_setxattr,     __NR_lsetxattr,
    __NR_fsetxattr,    CallSetxattrat, __NR_removexattr, __NR_lremovexattr, __NR_fremovexattr,
    CallRemovexattrat, __NR_fallocate,
#ifdef __NR_renameat
    __NR_renameat,
#endif
#ifdef __x86_64__
    __NR_creat,        __NR_mkdir,     __NR_mknod,       __NR_unlink,       __NR_rmdir,
    __NR_symlink,      __NR_link,      __NR_rename,      __NR_chmod,        __NR_chown,
    __NR_lchown,       __NR_utime,     __NR_utimes,      __NR_futimesat,
#endif
};

constexpr unsigned WritingFlags = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;

/// A filter, rule by rule. What no rule refuses is allowed.
class Filter {
public:
  Filter();
  void refuse(llvm::ArrayRef<unsigned> Calls);
  /// \p Call is refused if the argument of that number has one of \p Bits, or, for \p Wanted
  /// false, none of them.
  void refuseIf(unsigned Call, unsigned Argument, unsigned Bits, bool Expected = true);
  /// \p Call is not there: whoever uses it knows an older one.
  void hide(unsigned Call);
  bool install();

private:
  static constexpr unsigned Refused = SECCOMP_RET_ERRNO | EACCES;
  static constexpr unsigned Missing = SECCOMP_RET_ERRNO | ENOSYS;

  void load(size_t Offset) { add(BPF_LD | BPF_W | BPF_ABS, Offset); }
  void add(unsigned Code, unsigned Value, unsigned char IfTrue = 0, unsigned char IfFalse = 0) {
    Rules.push_back({static_cast<unsigned short>(Code), IfTrue, IfFalse, Value});
  }
  void answer(unsigned Call, unsigned Answer) {
    add(BPF_JMP | BPF_JEQ | BPF_K, Call, 0, 1);
    add(BPF_RET | BPF_K, Answer);
  }

  std::vector<sock_filter> Rules;
};

Filter::Filter() {
#ifdef __x86_64__
  constexpr unsigned Here = AUDIT_ARCH_X86_64;
#else
  constexpr unsigned Here = AUDIT_ARCH_AARCH64;
#endif
  // Calls of another architecture have other numbers.
  load(offsetof(seccomp_data, arch));
  add(BPF_JMP | BPF_JEQ | BPF_K, Here, 1, 0);
  add(BPF_RET | BPF_K, Refused);
  load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
  constexpr unsigned FirstOfX32 = 0x40000000;
  add(BPF_JMP | BPF_JGE | BPF_K, FirstOfX32, 0, 1);
  add(BPF_RET | BPF_K, Refused);
#endif
}

void Filter::refuse(llvm::ArrayRef<unsigned> Calls) {
  for (unsigned Call : Calls)
    answer(Call, Refused);
}

void Filter::refuseIf(unsigned Call, unsigned Argument, unsigned Bits, bool Expected) {
  // Both architectures are little-endian: the lower half comes first.
  add(BPF_JMP | BPF_JEQ | BPF_K, Call, 0, 4);
  load(offsetof(seccomp_data, args) + 8 * Argument);
  add(BPF_JMP | BPF_JSET | BPF_K, Bits, Expected ? 0 : 1, Expected ? 1 : 0);
  add(BPF_RET | BPF_K, Refused);
  load(offsetof(seccomp_data, nr));
}

void Filter::hide(unsigned Call) { answer(Call, Missing); }

bool Filter::install() {
  add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  sock_fprog Program{static_cast<unsigned short>(Rules.size()), Rules.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &Program) == 0;
}

/// clone3() has its flags in memory, where a filter does not see them; the C library takes clone().
void refusePrograms(Filter &F) {
  F.refuse(ProgramCalls);
  F.refuseIf(__NR_clone, 0, CLONE_THREAD, /*Wanted=*/false);
  F.hide(__NR_clone3);
}

void refuseWrites(Filter &F) {
  F.refuse(WriteCalls);
#ifdef __x86_64__
  F.refuseIf(__NR_open, 1, WritingFlags);
#endif
  F.refuseIf(__NR_openat, 2, WritingFlags);
  F.hide(__NR_openat2);
  F.refuseIf(__NR_mmap, 2, PROT_EXEC);
  F.refuseIf(__NR_mprotect, 2, PROT_EXEC);
}

/// Landlock's rights by the version that brought them: bits of files, then of the network.
struct LandlockRights {
  uint64_t Files, Network, Scopes;
};

/// Refuses every right of a file but to read it and to list a folder.
void restrictPaths() {
  constexpr unsigned AskVersion = 1;
  long Version = syscall(CallLandlockCreate, nullptr, 0, AskVersion);
  if (Version < 1)
    return;
  constexpr uint64_t ReadFile = 1 << 2, ReadFolder = 1 << 3;
  constexpr unsigned LastRight[] = {12, 13, 14, 14, 15}; // by version, beginning with 1
  unsigned Last = LastRight[std::min<long>(Version, 5) - 1];
  LandlockRights Refused{((uint64_t(2) << Last) - 1) & ~(ReadFile | ReadFolder),
                         Version >= 4 ? uint64_t(3) : 0, Version >= 6 ? uint64_t(3) : 0};
  // An older kernel takes a longer structure whose end is zero.
  int Rules = syscall(CallLandlockCreate, &Refused, sizeof(Refused), 0);
  if (Rules < 0)
    return;
  syscall(CallLandlockRestrict, Rules, 0);
  // Not through the C library: tools that count what changes files stand before it.
  syscall(__NR_close, Rules);
}

} // namespace

static bool enter() {
  Filter F;
  refusePrograms(F);
  refuseWrites(F);
  // Landlock needs what the filter's installation asks for first, and the filter does not refuse
  // it.
  if (!F.install())
    return false;
  restrictPaths();
  return true;
}

bool opsig::forbidPrograms() {
  Filter F;
  refusePrograms(F);
  return F.install();
}

#else

static bool enter() { return false; }
bool opsig::forbidPrograms() { return false; }

#endif

void opsig::runReadOnly(llvm::function_ref<void()> Do) {
  if (IsReadOnly)
    return Do();
  llvm::thread Reading([&] {
    IsReadOnly = enter();
    Do();
  });
  Reading.join();
}

llvm::StringRef opsig::sandboxProblem() {
  static const bool Works = [] {
    bool Entered = false;
    llvm::thread([&] { Entered = enter(); }).join();
    return Entered;
  }();
  return Works ? "" : "this system does not let a program restrict its own threads with seccomp";
}

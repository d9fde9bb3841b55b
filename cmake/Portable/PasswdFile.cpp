//===- PasswdFile.cpp - What a static program may ask glibc -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A static glibc answers some calls by loading shared libraries of the system that it runs on:
// plug-ins for users (nsswitch.conf: systemd, sss, ldap), and whatever dlopen names. Those are
// built for that system's own glibc, and two glibcs in one process abort. So in a static program
// these functions take the place of glibc's: users are those of /etc/passwd, and nothing is loaded.
//
// The home folder of a user whom /etc/passwd does not have is that of HOME, which LLVM asks first.
//
//===----------------------------------------------------------------------===//
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <pwd.h>

namespace {

/// The first entry of /etc/passwd that \p Wanted accepts, as getpwuid_r returns it.
template <typename Predicate>
int findUser(Predicate Wanted, passwd *Entry, char *Buffer, size_t Size, passwd **Result) {
  *Result = nullptr;
  std::FILE *File = std::fopen("/etc/passwd", "re");
  if (!File)
    return errno == ENOENT ? 0 : errno;
  int Status = 0;
  while ((Status = fgetpwent_r(File, Entry, Buffer, Size, Result)) == 0 && !Wanted(**Result))
    *Result = nullptr;
  std::fclose(File);
  return Status == ENOENT ? 0 : Status; // ENOENT: the file ends
}

} // namespace

extern "C" {

int getpwuid_r(uid_t User, passwd *Entry, char *Buffer, size_t Size, passwd **Result) {
  return findUser([&](const passwd &Found) { return Found.pw_uid == User; }, Entry, Buffer, Size,
                  Result);
}

int getpwnam_r(const char *Name, passwd *Entry, char *Buffer, size_t Size, passwd **Result) {
  return findUser([&](const passwd &Found) { return std::strcmp(Found.pw_name, Name) == 0; }, Entry,
                  Buffer, Size, Result);
}

void *dlopen(const char *, int) noexcept { return nullptr; }
void *dlsym(void *, const char *) noexcept { return nullptr; }
int dlclose(void *) noexcept { return 0; }
char *dlerror() noexcept {
  static char Message[] = "this program is static and loads no libraries";
  return Message;
}

} // extern "C"

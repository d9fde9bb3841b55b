"""The libtorch that judges: the installed one, or that of another system of which only the folder is here.

Programs are built and run by it there: in a system of its own by chroot, for which one has to be root. What opsig
reads is on this side; `flags` are for both.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import re
import subprocess
import sys

WITHIN = """
mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev" && mkdir -p "$1$2" && mount --bind "$2" "$1$2" &&
exec chroot "$1" /usr/bin/env -i PATH=/usr/lib/llvm-22/bin:/usr/bin:/bin HOME=/ LC_ALL=C.UTF-8 "${@:3}"
"""

# Reads strings that end in a 0 and prints a line for each: what takes() says. One that ends the process is refused.
ASK = """\
#include <fstream>
#include <iostream>
#include <iterator>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int, char **argv) {
  std::ifstream in(argv[1], std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(in), {}};
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (size_t at = 0; at < all.size();) {
    int ends[2];
    if (pipe(ends) != 0)
      return 1;
    auto next = [&] { at = all.find('\\0', at) + 1; };
    if (pid_t child = fork(); child == 0) {
      for (; at < all.size(); next())
        if (write(ends[1], takes(&all[at]) ? "+" : "-", 1) != 1)
          _exit(1);
      _exit(0);
    } else {
      close(ends[1]);
      char verdict = 0;
      for (; read(ends[0], &verdict, 1) == 1; next())
        std::cout << verdict << '\\n';
      close(ends[0]);
      waitpid(child, nullptr, 0);
      if (at < all.size()) { // it crashed
        std::cout << "-\\n";
        next();
      }
    }
  }
}
"""


class Libtorch:
    def __init__(self, folder, system=None):
        """`folder` holds the sources and programs; it has the same name in the system."""
        self.folder = os.path.abspath(folder)
        self.system = os.path.abspath(system) if system else None
        # utils/systems keeps more than the tree.
        if system and os.path.isdir(os.path.join(self.system, "root", "usr")):
            self.system = os.path.join(self.system, "root")
        self.include = os.path.join(self.system or "/", "usr/include")
        self.flags = ["-std=c++" + self._standard()] + (["--sysroot=" + self.system] if system else [])

    def _standard(self):
        """The oldest standard of C++ that the headers take."""
        with open(os.path.join(self.include, "ATen/ATen.h")) as header:
            return "20" if "C++20" in header.read() else "17"

    def run(self, command, **options):
        if not self.system:
            return subprocess.run(command, **options)
        # Mounts end with the name space that they are made in.
        apart = ["unshare", "--mount", "bash", "-c", WITHIN, "bash", self.system, self.folder]
        return subprocess.run(apart + command, **options)

    def clang(self, arguments, **options):
        return self.run(["clang++", self.flags[0], "-O0", "-w"] + arguments, **options)

    def build(self, path, libraries=("torch_cpu", "c10"), options=()):
        program = path + ".judge"
        self.clang([*options, path, "-o", program, *("-l" + name for name in libraries)], check=True)
        return program

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as out:
            out.write(text)
        return path

    def refused_lines(self, path):
        """Lines of the file that the compiler's errors come from."""
        run = self.clang(
            ["-fsyntax-only", "-ferror-limit=0", "-ftemplate-backtrace-limit=0", path], capture_output=True, text=True
        )
        # The first note of each error that points into the file says which line asked for the template.
        found, waiting = set(), False
        for line in run.stderr.splitlines():
            match = re.match(r"(.*?):(\d+):\d+: (?:fatal )?(error|note): ", line)
            if not match:
                continue
            if match[3] == "error":
                waiting = True
            if waiting and match[1] == path:
                found.add(int(match[2]))
                waiting = False
        if run.returncode != 0 and not found:
            sys.exit("the compiler failed: " + run.stderr[-500:])
        return found

    def takes(self, source, texts, libraries):
        """One bool per string. `source` defines `bool takes(const std::string &)`."""
        program = self.build(self.write("judge.cpp", source + ASK), libraries)
        asked = os.path.join(self.folder, "asked.txt")
        with open(asked, "wb") as out:
            out.writelines(text.encode() + b"\0" for text in texts)
        run = self.run([program, asked], capture_output=True, text=True)
        verdicts = [line == "+" for line in run.stdout.splitlines()]
        if len(verdicts) != len(texts):
            sys.exit("the judge stopped after %d of %d strings: %s" % (len(verdicts), len(texts), run.stderr[-500:]))
        return verdicts

    def existing(self, prologue, types):
        """Those of the types that the headers have."""
        lines = prologue.splitlines()
        lines += ["using known%d = %s;" % row for row in enumerate(types)]
        refused = self.refused_lines(self.write("existing.cpp", "\n".join(lines) + "\n"))
        first = len(prologue.splitlines()) + 1
        return [name for row, name in enumerate(types) if first + row not in refused]


def arguments(argv):
    """[--system DIR] FOLDER COMMAND... => the libtorch and the command."""
    system = None
    if argv[:1] == ["--system"]:
        system, argv = argv[1], argv[2:]
    libtorch = Libtorch(argv[0], system)
    return libtorch, argv[1:]


def seeded_arguments(argv):
    """[--system DIR] FOLDER SEED COUNT COMMAND... => the libtorch, the two numbers and the command."""
    libtorch, rest = arguments(argv)
    return libtorch, int(rest[0]), int(rest[1]), rest[2:]


def run_opsig(command, path, libtorch):
    """What opsig prints; FILE and FLAGS in the command stand for the source file and its flags."""
    words = []
    for word in command:
        words += [path] if word == "FILE" else libtorch.flags if word == "FLAGS" else [word]
    # From there no file is named in another way than here.
    run = subprocess.run(words, capture_output=True, encoding="utf-8", errors="replace", cwd="/")
    if run.returncode not in (0, 1):
        sys.exit("opsig failed: " + run.stderr[-500:])
    return run.stdout

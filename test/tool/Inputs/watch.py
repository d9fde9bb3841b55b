"""watch.py OPSIG: edits files below a running `opsig check --watch`, and says what each run found.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import queue
import re
import signal
import subprocess
import sys
import threading

RIGHT = """#include <torch/library.h>
static at::Tensor {0}(const at::Tensor &x, double by) {{ return x * by; }}
TORCH_LIBRARY_FRAGMENT(demo, m) {{ m.def("{0}", {0}); }}
"""
LONG = 240  # more than any run takes


def write(path, text):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


class Watched:
    def __init__(self, opsig):
        command = [opsig, "check", "--watch", "--cache", os.path.abspath("cache"), "csrc"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)

    def run(self, seconds=LONG):
        """What is printed until the next wait for changes; "" if nothing is in that time."""
        text = ""
        try:
            while True:
                line = self.lines.get(timeout=seconds)
                seconds = LONG
                if "watching" in line:
                    return text
                text += line
        except queue.Empty:
            return text


def found(text):
    return ", ".join(sorted(set(re.findall(r"\[(opsig-[a-z-]+)\]", text)))) or "0 findings"


def change_files(watched):
    print("first run:", found(watched.run()))
    write("csrc/notes.txt", "no source")
    print("notes.txt changed:", "a run" if watched.run(seconds=3) else "no run")
    write("csrc/one.cpp", RIGHT.format("one").replace("double", "float"))
    print("wrong type:", found(watched.run()))
    write("new.cpp", RIGHT.format("one"))
    os.rename("new.cpp", "csrc/one.cpp")
    print("replaced file:", found(watched.run()))
    write("csrc/more/two.cpp", RIGHT.format("two").replace("double", "float"))
    text = watched.run()
    if found(text) == "0 findings":  # a run between the folder and its file
        text = watched.run()
    print("new folder:", found(text))
    watched.process.send_signal(signal.SIGINT)
    print("ended by the signal" if watched.process.wait(timeout=LONG) == -signal.SIGINT else "ended otherwise")


def main():
    # Whoever runs tests may have it ignored, and children with it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    write("csrc/one.cpp", RIGHT.format("one"))
    watched = Watched(sys.argv[1])
    try:
        change_files(watched)
    finally:
        watched.process.kill()


main()

"""help_examples.py OPSIG: takes the overview of `OPSIG help`, and says whether opsig knows the words of each example in it and in
the help of each subcommand. Examples are not run: an operand that is too much stops each before it reads anything.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import re
import shlex
import subprocess
import sys


def examples(text):
    found = re.search(r"^(?:Start here|Examples):\n((?: .*\n)+)", text, re.MULTILINE)
    return re.findall(r"^  (opsig .*)$", found[1], re.MULTILINE) if found else []


def main():
    opsig, overview = sys.argv[1], sys.stdin.read()
    commands = dict.fromkeys(re.findall(r"^  opsig ((?:gen )?[a-z]+)", overview, re.MULTILINE))
    texts = [overview]
    for command in commands:
        done = subprocess.run([opsig, "help", *command.split()], check=True, capture_output=True, text=True)
        texts.append(done.stdout)
    for text in texts:
        for example in examples(text):
            words = shlex.split(example)[1:]
            # A wrong option is said with all others, before anything is done.
            words.insert(2 if words[0] == "gen" else 1, "--no-option-of-opsig")
            done = subprocess.run([opsig, *words], check=False, capture_output=True, text=True)
            said = [line for line in done.stderr.splitlines() if "error:" in line]
            known = len(said) == 1 and "--no-option-of-opsig" in said[0]
            print(f"{example}: {'known' if known else 'unknown: ' + ' '.join(said)}")


main()

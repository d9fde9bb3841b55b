#!/usr/bin/python3
"""Tells which rows of opsig's table of stable names no row of rules.txt has: their names occur in no code that moves.

usage: every_row.py STABLE-RULES RULES NAME...

The NAMEs are left out. Exit status 1 where a row is missing, or a NAME is not.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import re
import sys
from pathlib import Path

LAST_NAME = re.compile(r"(operator[^\w(]+|\w+)(?:<[\w ]*>)?(?:\(.*\);?)?$")


def main():
    table, rules, *left_out = sys.argv[1:]
    heads = re.findall(r'^    \{"((?:[^"\\]|\\.)+)",', Path(table).read_text().partition(" Advice[]")[0], re.M)
    moves = [row for row in Path(rules).read_text().split("\n== ")[1:] if not row.startswith("stays: ")]
    code = "\n".join(row.partition("\n")[2].partition("\n=> ")[0] for row in moves)
    names = {LAST_NAME.search(head)[1] for head in heads if head != "k"}
    signs = {name for name in names if name.startswith("operator")}
    words = set(re.findall(r"\w+", code))
    missing = sorted((names - signs - words) | {n for n in signs if n[len("operator") :].rstrip("]") not in code})
    for name in sorted(set(missing) ^ set(left_out)):
        print("%s: %s" % (name, "no row of %s has it" % rules if name in missing else "is no longer missing"))
    print("%d names, %d left out" % (len(names), len(left_out)))
    return set(missing) != set(left_out)


if __name__ == "__main__":
    sys.exit(main())

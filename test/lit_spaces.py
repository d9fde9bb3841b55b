# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests below a folder whose path contains spaces.

Substitutions such as %t put paths into RUN lines unquoted. Here their spaces travel as another character
through the lines, and become spaces again in the words that the lines were split into. (What another shell
splits once more, as in sh -c '... %t ...', has to quote by itself.)
"""
import lit.formats
import lit.ShCommands
import lit.ShUtil
import lit.TestRunner

STAND_IN = "␣"


def without_spaces(text, roots):
    """`text` with stand-ins in the paths that begin with one of `roots`."""
    for root in roots:
        text = text.replace(root, root.replace(" ", STAND_IN))
    return text


def with_spaces(tree):
    """What a RUN line was parsed to, with the true words."""
    if isinstance(tree, str):
        return tree.replace(STAND_IN, " ")
    if isinstance(tree, lit.ShCommands.GlobItem):
        tree.pattern = with_spaces(tree.pattern)
    elif isinstance(tree, lit.ShCommands.Command):
        tree.args = [with_spaces(word) for word in tree.args]
        tree.redirects = [(operator, with_spaces(word)) for operator, word in tree.redirects]
    elif isinstance(tree, lit.ShCommands.Pipeline):
        tree.commands = [with_spaces(command) for command in tree.commands]
    elif isinstance(tree, lit.ShCommands.Seq):
        tree.lhs, tree.rhs = with_spaces(tree.lhs), with_spaces(tree.rhs)
    return tree


class ShTest(lit.formats.ShTest):
    """lit's own, but for the paths. It is a class of a module, so that lit can hand it to its processes."""

    def __init__(self, roots):
        super().__init__(execute_external=False)
        self.roots = roots

    def execute(self, test, litConfig):
        self._teach_lit()
        return super().execute(test, litConfig)

    def _teach_lit(self):
        if getattr(lit.TestRunner, "opsig_knows_spaces", False):
            return
        lit.TestRunner.opsig_knows_spaces = True
        substitutions, parse = lit.TestRunner.getDefaultSubstitutions, lit.ShUtil.ShParser.parse

        def default_substitutions(*arguments, **named):
            found = substitutions(*arguments, **named)
            return [(name, without_spaces(value, self.roots)) for name, value in found]

        lit.TestRunner.getDefaultSubstitutions = default_substitutions
        lit.ShUtil.ShParser.parse = lambda parser: with_spaces(parse(parser))

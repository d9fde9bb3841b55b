"""Talks to a language server as no editor should, and prints what it makes of that.

  odd_clients.py SERVER [ARGUMENT...]

Started in a folder with a native_functions.yaml.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import itertools
import json
import os
import subprocess
import sys

FILE = "file://" + os.path.abspath("native_functions.yaml").replace(" ", "%20")
METHODS = ("hover", "definition", "declaration", "implementation", "references", "completion", "codeAction")
ODD = (-1, 0, 7, 1 << 40, 0.5, 1e300, "x", None, [], {}, True, 3)


class Editor:
    """Sends what it is told, in frames that are right, and reads answers."""

    def __init__(self):
        self.server = subprocess.Popen(
            sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.last = 0

    def send(self, body):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.server.stdin.flush()

    def read(self):
        """The next message that is no notification."""
        while (message := self.next()) is not None and "id" not in message:
            pass
        return message

    def next(self):
        length = None
        while (line := self.server.stdout.readline()) not in (b"\r\n", b""):
            length = int(line.split(b":")[1]) if line.lower().startswith(b"content-length") else length
        return json.loads(self.server.stdout.read(length)) if length else None

    def ask(self, method, params):
        """ "answer" or "error", of this request; None where the server is gone."""
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        while (message := self.read()) is not None:
            if message.get("id") == self.last and "method" not in message:
                return "error" if "error" in message else "answer"

    def tell(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def begin(self):
        assert self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}}) == "answer"
        self.tell("initialized", {})
        text = open("native_functions.yaml").read()
        self.tell("textDocument/didOpen", {"textDocument": {"uri": FILE, "languageId": "yaml", "version": 1, "text": text}})

    def wait(self):
        try:
            return self.server.wait(60)
        except subprocess.TimeoutExpired:
            self.server.kill()
            return "runs on"


def positions(editor):
    """Each method with each odd value for line or character."""
    for method, odd in itertools.product(METHODS, ODD):
        at = {"line": odd, "character": 3} if len(str(odd)) % 2 else {"line": 0, "character": odd}
        params = {"textDocument": {"uri": FILE}, "position": at, "range": {"start": at, "end": odd}, "context": odd}
        if editor.ask("textDocument/" + method, params) is not None:
            yield method


editor = Editor()
print("before initialize:", editor.ask("textDocument/hover", {}))
editor.begin()
print("unknown method:", editor.ask("textDocument/nothing", {}))
print("odd positions:", len(list(positions(editor))), "answers")
at = {"line": 0, "character": 0}
unknown = [
    editor.ask("textDocument/hover", params)
    for params in (
        {"textDocument": {"uri": "file:///nowhere/at/all.yaml"}, "position": at},
        {"textDocument": {"uri": "untitled:1"}, "position": at},
        {"textDocument": {"uri": 3}, "position": at},
        {"textDocument": "x"},
        [],
        None,
    )
]
print("text that is not open:", "answers" if None not in unknown else unknown)
for params in ({}, None, {"textDocument": {"uri": FILE}}, {"textDocument": {"uri": FILE}, "contentChanges": [{}, 3]}):
    for method in ("didOpen", "didChange", "didClose", "didSave"):
        if (method, params) != ("didClose", {"textDocument": {"uri": FILE}}):
            editor.tell("textDocument/" + method, params)
editor.send(b'{"jsonrpc": "2.0", "id"')
editor.send(b"")
editor.send(b"[]")
editor.send(b"\xff\xfe\x00")
print("broken JSON:", "error" if all("error" in (editor.read() or {}) for _ in range(4)) else "nothing")
print("still there:", editor.ask("textDocument/hover", {"textDocument": {"uri": FILE}, "position": at}))
editor.tell("exit", None)
print("exit without shutdown:", editor.wait())

editor = Editor()
editor.begin()
editor.ask("shutdown", None)
editor.tell("exit", None)
print("shutdown and exit:", editor.wait())

editor = Editor()
editor.begin()
editor.server.stdin.close()
print("the editor closes:", "ends" if editor.wait() == 1 else "does not end")

editor = Editor()
editor.begin()
editor.server.stdin.write(b"Content-Length: 500\r\n\r\n{")
editor.server.stdin.close()
print("the editor closes in the middle of a message:", "ends" if editor.wait() == 1 else "does not end")

editor = Editor()
editor.begin()
editor.server.stdout.close()
for _ in range(9):
    try:
        editor.tell("textDocument/didSave", {})
        editor.send({"jsonrpc": "2.0", "id": 1, "method": "shutdown", "params": None})
    except BrokenPipeError:
        break
try:
    editor.server.stdin.close()
except BrokenPipeError:
    pass
print("the editor reads nothing:", "ends" if editor.wait() != "runs on" else "runs on")

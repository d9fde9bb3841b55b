"""A client of language servers, for scripts: one server, the texts that it has open.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import os
import queue
import subprocess
import threading
import time
from urllib.parse import unquote, urlparse


class SessionError(Exception):
    pass


class Server:
    """A language server over its standard input and output."""

    def __init__(self, command, timeout):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.timeout = timeout
        self.last_id = 0
        self.incoming = queue.Queue()
        self.diagnostics = {}  # URI => the last message about it that nobody has waited for yet
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        stream = self.process.stdout
        while True:
            length = None
            while (line := stream.readline()) not in (b"\r\n", b""):
                name, _, value = line.decode("ascii").partition(":")
                if name.lower() == "content-length":
                    length = int(value)
            if length is None:
                self.incoming.put(None)
                return
            self.incoming.put(json.loads(stream.read(length)))

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def next(self, wanted, what):
        """The first message that `wanted` accepts; the server's own requests are answered with null."""
        for uri, message in self.diagnostics.items():
            if wanted(message):
                return self.diagnostics.pop(uri)
        end = time.monotonic() + self.timeout
        while True:
            try:
                message = self.incoming.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise SessionError(f"no {what} within {self.timeout} s") from None
            if message is None:
                raise SessionError(f"the server ended before it sent {what}")
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "result": None})
            elif wanted(message):
                return message
            elif message.get("method") == "textDocument/publishDiagnostics":
                self.diagnostics[message["params"]["uri"]] = message

    def request(self, method, params):
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": params})
        answer = self.next(lambda m: m.get("id") == self.last_id, f"answer to {method}")
        if "error" in answer:
            raise SessionError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def stop(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(self.timeout)


class Buffer:
    """The text of an open file. Columns of the protocol count UTF-16 units."""

    def __init__(self, text):
        self.text = text
        self.version = 1

    def offset(self, position):
        lines = self.text.split("\n")
        line = lines[position["line"]].encode("utf-16-le")[: 2 * position["character"]]
        return sum(len(each) + 1 for each in lines[: position["line"]]) + len(line.decode("utf-16-le"))

    def position(self, offset):
        before = self.text[:offset].split("\n")
        return {"line": len(before) - 1, "character": len(before[-1].encode("utf-16-le")) // 2}

    def apply(self, edits):
        # Several at one place stand in their order.
        order = sorted(enumerate(edits), key=lambda e: (self.offset(e[1]["range"]["start"]), e[0]), reverse=True)
        for _, edit in order:
            begin, end = self.offset(edit["range"]["start"]), self.offset(edit["range"]["end"])
            self.text = self.text[:begin] + edit["newText"] + self.text[end:]
        self.version += 1


def place(position):
    return f"{position['line'] + 1}:{position['character'] + 1}"


def path_of(uri):
    return os.path.relpath(unquote(urlparse(uri).path))

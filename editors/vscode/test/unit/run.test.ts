// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf, run, summaryOf } from "../../src/run";

const node = (code: string, more: object = {}) => run(process.execPath, ["-e", code], { cwd: "/", ...more });

test("both streams, the status and the environment", async () => {
  const result = await node("process.stdout.write(process.env.A); process.stderr.write('é'); process.exitCode = 2", {
    environment: { A: "b" },
  });
  assert.deepEqual(result, { status: 2, stdout: "b", stderr: "é" });
});

test("no shell reads the arguments", async () => {
  const result = await run(process.execPath, ["-e", "console.log(process.argv[1])", "$(id); 'a b'"], { cwd: "/" });
  assert.equal(result.stdout, "$(id); 'a b'\n");
});

test("a run can be ended", async () => {
  const stop = new AbortController();
  const running = node("setTimeout(() => {}, 60000)", { signal: stop.signal });
  stop.abort();
  await assert.rejects(running, { name: "AbortError" });
});

test("a program that is not there", async () => {
  await assert.rejects(run("/nowhere/opsig", [], { cwd: "/" }), { code: "ENOENT" });
});

test("what went wrong, in opsig's words", () => {
  const stderr = "opsig: error: unknown check 'nope'\nopsig: note: more\n";
  assert.equal(errorOf({ status: 2, stdout: "", stderr }), "unknown check 'nope'");
  assert.equal(errorOf({ status: 2, stdout: "", stderr: "" }), "opsig ended with status 2");
  assert.equal(errorOf({ status: null, stdout: "", stderr: "" }), "opsig was ended by a signal");
  assert.equal(summaryOf({ status: 1, stdout: "", stderr: "a.cpp:1:1: error: x\nopsig: 1 file; 1 error\n" }), "1 file; 1 error");
});

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseClangd, ClangdSituation } from "../../src/clangdChoice";

const opsigClangd = "/opt/opsig/bin/opsig-clangd";
const alone: ClangdSituation = {
  mode: "auto",
  hasClangdExtension: false,
  isClangdEnabled: true,
  clangdPath: "clangd",
  opsigClangd,
};
const kind = (more: Partial<ClangdSituation>) => chooseClangd({ ...alone, ...more }).kind;

test("without the clangd extension this one starts opsig-clangd", () => {
  assert.deepEqual(chooseClangd(alone), { kind: "own", program: opsigClangd });
});

test("there is never a second clangd", () => {
  for (const clangdPath of ["clangd", "/usr/bin/clangd-22", opsigClangd, "C:\\opsig-clangd.exe"]) {
    for (const program of [opsigClangd, undefined]) {
      assert.notEqual(kind({ hasClangdExtension: true, clangdPath, opsigClangd: program }), "own");
    }
  }
});

test("the clangd extension is offered opsig-clangd, unless it runs that already", () => {
  assert.deepEqual(chooseClangd({ ...alone, hasClangdExtension: true }), { kind: "offer", program: opsigClangd });
  assert.equal(kind({ hasClangdExtension: true, clangdPath: "/elsewhere/opsig-clangd" }), "beside");
  assert.equal(kind({ hasClangdExtension: true, opsigClangd: undefined }), "none");
});

test("a clangd extension whose clangd is turned off serves nothing", () => {
  assert.equal(kind({ hasClangdExtension: true, isClangdEnabled: false }), "own");
});

test("off is off, and without a program nothing is started", () => {
  assert.equal(kind({ mode: "off" }), "none");
  assert.equal(kind({ mode: "off", hasClangdExtension: true }), "none");
  assert.equal(kind({ opsigClangd: undefined }), "none");
});

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { after, test } from "node:test";
import { findProgram, isInside, ProgramSearch, pythonEnvironment } from "../../src/program";

const world = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "opsig programs ")));
after(() => fs.rmSync(world, { recursive: true }));

function program(name: string): string {
  const file = path.join(world, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, "#!/bin/sh\n", { mode: 0o755 });
  return file;
}

const usual: ProgramSearch = {
  name: "opsig",
  configured: "",
  pathVariable: "",
  home: path.join(world, "home"),
  workspaceFolders: [path.join(world, "project")],
  trusted: true,
};
const find = (more: Partial<ProgramSearch>) => findProgram({ ...usual, ...more });

const first = program("first/opsig");
const second = program("second/opsig");
const companion = program("first/opsig-clangd");
const venv = program("project/.venv/bin/opsig");
fs.writeFileSync(path.join(world, "project/.venv/pyvenv.cfg"), "");
fs.mkdirSync(path.join(world, "folder/opsig"), { recursive: true });
fs.mkdirSync(path.join(world, "plain"));
fs.writeFileSync(path.join(world, "plain/opsig"), "", { mode: 0o644 });

test("the setting goes before everything", () => {
  const found = find({ configured: second, pathVariable: path.dirname(first) });
  assert.equal(found.program, second);
  assert.equal(found.origin, "setting");
});

test("a setting that is wrong is told, and nothing else is tried", () => {
  const wrong = find({ configured: "/nowhere/opsig", pathVariable: path.dirname(first) });
  assert.equal(wrong.program, undefined);
  assert.match(wrong.problem!, /'opsig.path' is '\/nowhere\/opsig', which is not an executable file/);
  const relative = find({ configured: "bin/opsig", pathVariable: path.dirname(first) });
  assert.equal(relative.program, undefined);
  assert.match(relative.problem!, /expected an absolute path/);
  assert.match(find({ name: "opsig-clangd", configured: "x" }).problem!, /'opsig.clangd.path'/);
});

test("the setting may begin with the home folder", () => {
  assert.equal(find({ configured: "~/opsig", home: path.dirname(first) }).program, first);
});

test("PATH in its order; what is a folder or not executable is no program", () => {
  const pathVariable = ["plain", "folder", "first", "second"].map((each) => path.join(world, each)).join(":");
  const found = find({ pathVariable });
  assert.equal(found.program, first);
  assert.equal(found.origin, "PATH");
  // The other one is named, because it may be of another version.
  assert.ok(found.looked.some((line) => line.startsWith(`${second}: found, but`)));
});

test("relative entries of PATH are not used", () => {
  const before = process.cwd();
  process.chdir(path.dirname(first));
  try {
    assert.equal(find({ pathVariable: ".::" }).program, undefined);
  } finally {
    process.chdir(before);
  }
});

test("the selected interpreter's programs, after PATH", () => {
  const interpreter = path.join(world, "project/.venv/bin/python");
  const found = find({ interpreter, pathVariable: path.join(world, "plain") });
  assert.equal(found.program, venv);
  assert.equal(found.origin, "Python interpreter");
  assert.equal(find({ interpreter, pathVariable: path.dirname(first) }).program, first);
});

test("pip install --user, for an interpreter that is in no virtual environment", () => {
  const user = program("home/.local/bin/opsig");
  assert.equal(find({ interpreter: path.join(world, "usr/bin/python3") }).program, user);
  fs.rmSync(user);
});

test("a workspace that is not trusted names no program: not by PATH, not by links", () => {
  const link = path.join(world, "link");
  fs.symlinkSync(path.dirname(venv), link);
  for (const folder of [path.dirname(venv), link]) {
    const found = find({ pathVariable: folder, trusted: false });
    assert.equal(found.program, undefined);
    assert.ok(found.looked.some((line) => line.includes("the workspace is not trusted")));
    assert.ok(find({ pathVariable: folder }).program);
  }
  // A program outside that a link in the workspace leads to is named by the workspace, too.
  const own = path.join(world, "project/bin");
  fs.symlinkSync(path.dirname(first), own);
  assert.equal(find({ pathVariable: own, trusted: false }).program, undefined);
});

test("opsig-clangd is searched beside opsig first", () => {
  const found = find({ name: "opsig-clangd", opsig: first, pathVariable: path.dirname(second) });
  assert.equal(found.program, companion);
  assert.equal(found.origin, "beside opsig");
  assert.equal(find({ name: "opsig-clangd", opsig: second }).program, undefined);
});

test("folders are compared by their names' parts", () => {
  assert.ok(isInside("/a/b/c", ["/a/b"]));
  assert.ok(isInside("/a/..b", ["/a"]));
  assert.ok(!isInside("/a/bc", ["/a/b"]));
  assert.ok(!isInside("/a/b/../c", ["/a/b"]));
});

test("the environment of the interpreter tells opsig its PyTorch", () => {
  assert.deepEqual(pythonEnvironment(path.join(world, "project/.venv/bin/python")), {
    VIRTUAL_ENV: path.join(world, "project/.venv"),
  });
  fs.mkdirSync(path.join(world, "conda/conda-meta"), { recursive: true });
  assert.deepEqual(pythonEnvironment(path.join(world, "conda/bin/python")), { CONDA_PREFIX: path.join(world, "conda") });
  assert.deepEqual(pythonEnvironment("/usr/bin/python3"), {});
  assert.deepEqual(pythonEnvironment(undefined), {});
});

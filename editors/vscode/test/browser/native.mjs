// Compiles what code-server has in C++, after npm has installed its packages without running anything of them. (Their own ways to do
// that download programs, or ask npx for node-gyp.)
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";

const modules = path.resolve("node_modules");
const gyp = path.join(modules, "node-gyp/bin/node-gyp.js");

function compile(name, ...options) {
  execFileSync(process.execPath, [gyp, "rebuild", "--jobs=2", ...options], { cwd: path.join(modules, name), stdio: "inherit" });
}

// Terminals, in which tasks run.
compile("node-pty");
// Passwords; the server of the tests has none, but loads it.
const binding = path.join(modules, "argon2/lib/binding/napi-v3");
compile("argon2", "--napi_build_version=3", "--module_name=argon2", `--module_path=${binding}`);
// Logs (@vscode/spdlog) take a minute to compile. Without it the server says so once and writes to its standard output.

// The packages of VS Code itself are beside those of code-server.
const link = path.join(modules, "code-server/lib/vscode/node_modules");
if (!fs.existsSync(link)) fs.symlinkSync("../../../../node_modules", link);

// Does in a real VS Code what a user does, and prints what is to be seen; usage: try.mjs MODULES VSIX PROGRAMS PROJECT WORK.
// PROGRAMS has opsig and opsig-clangd. Screenshots are in WORK/shots.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import * as fs from "node:fs";
import * as path from "node:path";
import { Code } from "./code.mjs";

const [modules, vsix, programs, project, work] = process.argv.slice(2).map((each) => path.resolve(each));
fs.mkdirSync(work, { recursive: true });
const code = new Code(modules, work, programs);
const say = (what, text) => console.log(`${what}: ${text}`);
const asked = path.join(work, "python-was-asked");
const onDisk = (file) => fs.readFileSync(path.join(project, file), "utf8");

const steps = {
  async cpp() {
    await code.open("kernels.cpp", 5, 90);
    await code.command("Problems: Focus on Problems View");
    say("problem", await code.problem("parameter 'alpha' of 'add'"));
    say("status", await code.statusBar("opsig: PyTorch"));
    await code.shot("cpp");
  },
  async quickFix() {
    await code.open("kernels.cpp", 5, 90);
    say("quick fix", await code.quickFix("change 'float alpha'"));
    await code.press("Control+S");
    await code.until(() => onDisk("kernels.cpp").includes("const at::Scalar &alpha"), "the fix is not on disk");
    say("on disk", onDisk("kernels.cpp").split("\n")[4].trim());
    await code.shot("fixed");
  },
  async hover() {
    await code.open("register.cpp", 6, 13);
    say("hover", await code.hoverWith("scale(Tensor self"));
    await code.shot("hover");
    await code.press("Escape");
  },
  async completion() {
    await code.open("register.cpp", 6, 1);
    await code.press("End", "Enter");
    await code.type('m.impl("');
    say("completion", (await code.suggestions("shift", "scale")).join(" "));
    await code.shot("completion");
    await code.press("Enter");
    await code.type('", &shift_cpu);');
    await code.press("Control+S");
    await code.until(() => onDisk("register.cpp").includes('m.impl("shift'), "the completion is not on disk");
    say("completed", onDisk("register.cpp").split("\n")[6].trim());
  },
  async cuda() {
    await code.open("kernels.cu", 3, 1);
    await code.command("Problems: Focus on Problems View");
    say("cuda", await code.problem("parameter 'other' of 'mul'"));
    await code.shot("cuda");
  },
  async yaml() {
    await code.open("other.yaml", 7, 4);
    await code.command("Problems: Focus on Problems View");
    say("yaml", await code.problem("unknown operator 'nowhere'"));
    await code.open("other.yaml", 5, 5);
    say("yaml hover", await code.hoverWith("at::Tensor add("));
    await code.shot("yaml");
    await code.press("Escape");
  },
  async python() {
    await code.open("ops.py", 5, 1);
    await code.command("Problems: Focus on Problems View");
    // The view shows the findings of other files, too.
    say("python", await code.problem("opsig-registered-schema"));
    await code.shot("python");
  },
  async project() {
    await code.command("opsig: Check Project");
    say("project", await code.notification("compared"));
    await code.shot("project");
    await code.command("Problems: Focus on Problems View");
    say("only the project shows", await code.problem("thrice"));
    await code.command("Notifications: Clear All Notifications");
  },
  async fixAll() {
    await code.command("opsig: Fix All in Project");
    const dialog = code.page.locator(".monaco-dialog-box");
    await dialog.waitFor();
    say("fix all", (await dialog.locator(".dialog-message").innerText()).trim());
    await code.shot("fix-all");
    await dialog.locator(".monaco-button", { hasText: "Apply" }).click();
    await code.until(() => onDisk("fixme.cpp").includes("const at::Scalar &alpha"), "the project is not fixed");
    say("fixed", onDisk("fixme.cpp").split("\n")[4].trim());
    await code.notification("compared");
    // Editors that are open show what is on disk now.
    await code.noProblem("parameter 'other' of 'mul'");
    say("reloaded", onDisk("kernels.cu").split("\n")[3].trim());
    await code.command("Notifications: Clear All Notifications");
  },
  async explain() {
    await code.command("opsig: Explain a Check");
    const input = code.page.locator(".quick-input-widget input.input");
    await code.page.locator(".quick-input-list .monaco-list-row", { hasText: "opsig-" }).first().waitFor();
    await input.fill("opsig-kernel-signature");
    await code.press("Enter");
    const page = code.page.frameLocator("iframe.webview").last().frameLocator("iframe");
    say("explain", await page.locator("h1").first().innerText());
    await code.shot("explain");
  },
  async operator() {
    await code.command("opsig: Show Operator");
    const input = code.page.locator(".quick-input-widget input");
    await input.first().fill("add.Tensor");
    await code.press("Enter");
    await code.page.locator(".tab.active", { hasText: "add.Tensor.txt" }).waitFor();
    say("operator", (await code.page.locator(".editor-instance .view-line").first().innerText()).replace(/\s/g, " "));
    await code.shot("operator");
  },
  async coverage() {
    await code.command("opsig: Show Coverage");
    await code.page.locator(".tab.active", { hasText: "opsig coverage" }).waitFor();
    const page = code.page.frameLocator("iframe.webview").last().frameLocator("iframe");
    say("coverage", await page.locator("h1").innerText());
    // The page's own script runs: it makes buttons of the heads of tables.
    say("sortable", await page.locator("th button").count() > 0);
    await code.shot("coverage");
    await page.locator("a.place").first().click();
    await code.page.locator(".tab.active", { hasText: /\.(cpp|yaml|py|cu)$/ }).waitFor();
    say("link", (await code.page.locator(".tab.active").last().innerText()).trim());
  },
  async task() {
    await code.command("opsig: Clear Findings of the Last Project Check");
    await code.command("Tasks: Run Task");
    const rows = code.page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: "opsig" }).first().click();
    await rows.filter({ hasText: "opsig: check" }).first().click();
    // The terminal comes to the front when it begins.
    await code.page.locator(".terminal-wrapper.active .xterm-screen").first().waitFor();
    await code.command("Problems: Focus on Problems View");
    say("task", await code.problem("thrice"));
    await code.shot("task");
  },
};

/** In Restricted Mode: what the settings of the workspace name is not started, and findings are there all the same. */
const restricted = {
  async restricted() {
    say("mode", await code.statusBar("Restricted Mode"));
    await code.open("other.yaml", 7, 4);
    await code.command("Problems: Focus on Problems View");
    say("restricted yaml", await code.problem("unknown operator 'nowhere'"));
    await code.open("register.cpp", 3, 1);
    say("restricted cpp", await code.problem("'scale_cpu' returns 'self' itself"));
    say("restricted status", await code.statusBar("opsig: PyTorch"));
    await code.shot("restricted");
  },
};

/** Beside the clangd extension: an extension of its name, with its settings and its command. */
const beside = {
  async beside() {
    await code.open("kernels.cu", 3, 1);
    say("offer", await code.notification("opsig-clangd"));
    await code.shot("beside");
    await code.page.locator(".notifications-toasts .monaco-button", { hasText: "Use opsig-clangd" }).click();
    const set = () => /"clangd\.path": "([^"]*)"/.exec(fs.readFileSync(code.settingsFile, "utf8"))?.[1];
    await code.until(set, "clangd.path is not set");
    say("clangd.path", set() === path.join(programs, "opsig-clangd"));
    await code.until(() => fs.existsSync(path.join(project, "restarted")), "clangd.restart is not called");
    await code.open("other.yaml", 7, 4);
    await code.command("Problems: Focus on Problems View");
    say("beside yaml", await code.problem("unknown operator 'nowhere'"));
    say("own clangds", code.processes().filter((each) => each.startsWith(path.join(programs, "opsig-clangd"))).length);
  },
};

/** opsig is beside the selected interpreter, in a virtual environment of the workspace, and nowhere else. */
const interpreter = {
  async interpreter() {
    await code.open("other.yaml", 7, 4);
    say("by interpreter", await code.statusBar("opsig: PyTorch"));
    await code.command("Problems: Focus on Problems View");
    say("by interpreter yaml", await code.problem("unknown operator 'nowhere'"));
    say("asked", fs.existsSync(asked));
    fs.rmSync(asked);
  },
};

/** The same in Restricted Mode: nobody asks for the interpreter. */
const restrictedInterpreter = {
  async restrictedInterpreter() {
    await code.open("other.yaml", 7, 4);
    say("by interpreter, restricted", await code.statusBar("opsig:"));
    say("told", await code.notification("no program 'opsig'"));
    say("asked", fs.existsSync(asked));
    await code.shot("not-found");
  },
};

let failed = 0;

async function run(all) {
  const wanted = process.env.STEPS?.split(" ") ?? Object.keys(all);
  for (const name of wanted.filter((each) => all[each])) {
    const start = Date.now();
    try {
      await all[name]();
    } catch (error) {
      ++failed;
      say(`failed: ${name}`, String(error.message).split("\n")[0]);
      await code.shot(`failed-${name}`);
      await code.press("Escape", "Escape");
    }
    console.error(`${name}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
  }
  // No program that the workspace names has run.
  say("started by the workspace", fs.existsSync(path.join(project, "started")));
}

try {
  code.settings({
    "workbench.startupEditor": "none",
    "editor.accessibilitySupport": "off",
    "editor.hover.delay": 100,
    "git.enabled": false,
    "security.workspace.trust.startupPrompt": "never",
  });
  say("installed", code.install(vsix));
  await code.start(project, "--disable-workspace-trust");
  await run(steps);
  await code.stop();
  await code.start(project);
  await run(restricted);
  await code.stop();
  say("installed", code.install(await code.clangdExtension(path.join(project, "restarted"))));
  await code.start(project, "--disable-workspace-trust");
  await run(beside);
  await code.stop();
  const venv = path.join(project, ".venv");
  fs.mkdirSync(path.join(venv, "bin"), { recursive: true });
  fs.writeFileSync(path.join(venv, "pyvenv.cfg"), "");
  for (const name of ["opsig", "opsig-clangd"]) fs.symlinkSync(path.join(programs, name), path.join(venv, "bin", name));
  code.inPath("");
  say("installed", code.install(await code.pythonExtension(path.join(venv, "bin/python"), asked)));
  await code.start(project, "--disable-workspace-trust");
  await run(interpreter);
  await code.stop();
  await code.start(project);
  await run(restrictedInterpreter);
} finally {
  await code.end();
}
process.exitCode = failed ? 1 : 0;

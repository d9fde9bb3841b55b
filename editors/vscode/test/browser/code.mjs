// A VS Code in a browser: code-server and Chromium, and what a user does with the keyboard in it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import { spawn, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as net from "node:net";
import * as path from "node:path";
import { createRequire } from "node:module";

/** How long a server on a slow machine may take for an answer. */
const Patience = Number(process.env.OPSIG_PATIENCE ?? 90) * 1000;

function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

export class Code {
  /**
   * `modules` has code-server and playwright-core, `work` gets everything that is written, `programs` is the folder of opsig,
   * which the user has in PATH.
   */
  constructor(modules, work, programs) {
    this.require = createRequire(path.join(modules, "package.json"));
    this.entry = path.join(modules, "node_modules/code-server/out/node/entry.js");
    this.work = work;
    this.folders = ["--user-data-dir", path.join(work, "user"), "--extensions-dir", path.join(work, "extensions")];
    const home = (this.home = path.join(work, "home"));
    fs.mkdirSync(home, { recursive: true });
    this.inPath(programs);
    this.environment = { ...process.env, HOME: home, SHELL: "/bin/bash", XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, LC_ALL: "C.UTF-8" };
    // What the tests of opsig keep must not depend on where they run.
    delete this.environment.OPSIG_TORCH_ROOT;
  }

  /** VS Code asks the user's login shell for PATH, which takes what it finds there. "" for nothing besides the system's. */
  inPath(folder) {
    fs.writeFileSync(path.join(this.home, ".profile"), folder ? `PATH='${folder}':$PATH\n` : "");
  }

  install(vsix) {
    const done = spawnSync(process.execPath, [this.entry, ...this.folders, "--install-extension", vsix], {
      env: this.environment,
      encoding: "utf8",
    });
    return `${done.stdout}${done.status === 0 ? "" : done.stderr}`.trim().split("\n").pop();
  }

  /** Packs an extension of another publisher's name: `more` of its package.json, and what it does when it is activated. */
  async pack(publisher, name, more, activate) {
    const manifest = { name, publisher, version: "0.1.0", engines: { vscode: "^1.90.0" }, main: "./main.js", activationEvents: ["*"], ...more };
    const texts = {
      "extension/package.json": JSON.stringify(manifest),
      "extension/main.js": `const vscode = require("vscode"), fs = require("fs");\nexports.activate = () => ${activate};\n`,
      "extension.vsixmanifest": `<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
        <Metadata><Identity Language="en-US" Id="${name}" Version="0.1.0" Publisher="${publisher}"/></Metadata>
        <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation><Dependencies/>
        <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json"/></Assets></PackageManifest>`,
      "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
        <Default Extension=".json" ContentType="application/json"/></Types>`,
    };
    const { ZipFile } = this.require("yazl");
    const zip = new ZipFile();
    for (const [file, text] of Object.entries(texts)) zip.addBuffer(Buffer.from(text), file);
    zip.end();
    const chunks = [];
    for await (const chunk of zip.outputStream) chunks.push(chunk);
    const vsix = path.join(this.work, `${name}.vsix`);
    fs.writeFileSync(vsix, Buffer.concat(chunks));
    return vsix;
  }

  /** The name, the settings and the restart of the clangd extension; the restart makes `marker`. */
  clangdExtension(marker) {
    const properties = { "clangd.path": { type: "string", default: "clangd" }, "clangd.enable": { type: "boolean", default: true } };
    const restart = `vscode.commands.registerCommand("clangd.restart", () => fs.writeFileSync(${JSON.stringify(marker)}, ""))`;
    return this.pack("llvm-vs-code-extensions", "vscode-clangd", { contributes: { configuration: { properties } } }, restart);
  }

  /** The name of the Python extension, and what it tells of the selected interpreter; asking makes `marker`. */
  pythonExtension(interpreter, marker) {
    const file = JSON.stringify(interpreter);
    const environments = `{
      getActiveEnvironmentPath() { fs.writeFileSync(${JSON.stringify(marker)}, ""); return { path: ${file} }; },
      resolveEnvironment: async () => ({ executable: { uri: vscode.Uri.file(${file}) } }),
      onDidChangeActiveEnvironmentPath: () => ({ dispose() {} }) }`;
    const capabilities = { untrustedWorkspaces: { supported: true } };
    return this.pack("ms-python", "python", { capabilities }, `({ environments: ${environments} })`);
  }

  get settingsFile() {
    return path.join(this.work, "user/User/settings.json");
  }

  settings(json) {
    fs.mkdirSync(path.dirname(this.settingsFile), { recursive: true });
    fs.writeFileSync(this.settingsFile, JSON.stringify(json));
  }

  /** Starts the server and shows `project`; `more` are options of code-server. */
  async start(project, ...more) {
    const port = await freePort();
    const options = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check"];
    const log = fs.openSync(path.join(this.work, "code-server.log"), "a");
    this.server = spawn(process.execPath, [this.entry, ...this.folders, ...options, "--disable-getting-started-override", ...more], {
      env: this.environment,
      stdio: ["ignore", log, log],
      detached: true,
    });
    await this.until(() => this.isUp(port), "code-server does not answer");
    if (!this.browser) {
      const { chromium } = this.require("playwright-core");
      this.browser = await chromium.launch({
        executablePath: "/usr/bin/chromium",
        args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
      });
    }
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 } });
    this.page = await context.newPage();
    this.page.setDefaultTimeout(Patience);
    await this.page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(project)}`);
    await this.page.locator(".monaco-workbench .part.statusbar").waitFor();
  }

  async isUp(port) {
    try {
      return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
    } catch {
      return false;
    }
  }

  async until(asked, problem) {
    for (const end = Date.now() + Patience; Date.now() < end; await new Promise((next) => setTimeout(next, 100))) {
      const answer = await asked();
      if (answer) return answer;
    }
    throw new Error(problem);
  }

  async stop() {
    await this.page?.context().close();
    // The server and the processes that it has started are one group.
    if (this.server && this.server.exitCode === null) {
      const ended = new Promise((resolve) => this.server.once("exit", resolve));
      process.kill(-this.server.pid, "SIGTERM");
      await ended;
    }
  }

  async end() {
    await this.stop();
    await this.browser?.close();
  }

  press(...keys) {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  }

  type(text) {
    return this.page.keyboard.type(text, { delay: 20 });
  }

  shot(name) {
    fs.mkdirSync(path.join(this.work, "shots"), { recursive: true });
    return this.page.screenshot({ path: path.join(this.work, "shots", `${name}.png`) });
  }

  /** Runs a command by its title. A list that was opened before the extensions were read does not have their commands. */
  async command(title) {
    const row = this.page.locator(".quick-input-list .monaco-list-row").getByText(title, { exact: true }).first();
    await this.until(async () => {
      await this.press("Escape", "F1");
      await this.page.locator(".quick-input-widget input.input").fill(`>${title}`);
      return row.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
    }, `unknown command '${title}'`);
    await row.click();
  }

  /** The command lines of the programs that the server has started. */
  processes() {
    const listed = spawnSync("ps", ["-eo", "pgid=,args="], { encoding: "utf8" }).stdout.split("\n");
    return listed.filter((line) => Number.parseInt(line, 10) === this.server.pid).map((line) => line.trim().replace(/^\d+ /, ""));
  }

  /** Opens a file of the project's folder at a place. (What searches for files is a program that npm does not bring.) */
  async open(file, line = 1, column = 1) {
    // A file that appears in the list moves the others away from under the pointer.
    const tab = this.page.locator(".tab.active", { hasText: file });
    await this.until(async () => {
      await this.page.locator(".explorer-folders-view .monaco-list-row", { hasText: file }).first().dblclick();
      return tab.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
    }, `'${file}' is not opened`);
    await this.page.locator(".editor-instance .view-lines").first().click();
    await this.press("Control+G");
    const input = this.page.locator(".quick-input-widget input.input");
    await input.fill(`:${line}:${column}`);
    await this.press("Enter");
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }

  /** The lines of the view of problems that have `text`, once there is one. */
  async problem(text) {
    const row = this.page.locator(".markers-panel .monaco-list-row", { hasText: text }).first();
    await row.waitFor();
    return (await row.innerText()).replace(/\s+/g, " ").trim();
  }

  /** Waits until the view of problems has no line with `text`. */
  async noProblem(text) {
    await this.command("Problems: Focus on Problems View");
    const filter = this.page.locator(".markers-panel-filter-container input, .viewpane-filter input").first();
    await filter.fill(text);
    await this.page.locator(".markers-panel .monaco-list-row", { hasText: text }).first().waitFor({ state: "detached" });
    await filter.fill("");
  }

  /** What is offered, once all of `wanted` are. */
  async suggestions(...wanted) {
    const rows = this.page.locator(".suggest-widget.visible .monaco-list-row");
    for (const each of wanted) await rows.filter({ hasText: each }).first().waitFor();
    return (await rows.allInnerTexts()).map((each) => each.split("\n")[0].trim());
  }

  async hover() {
    await this.press("Control+K", "Control+I");
    const hover = this.page.locator(".monaco-hover:not(.hidden) .monaco-hover-content").first();
    await hover.waitFor();
    // Hovers of several sources come one after the other.
    return (await hover.innerText()).replace(/\s+/g, " ").trim();
  }

  /** What the hover says, once that has `text`: before a slow server answers, it says that it is loading. */
  hoverWith(text) {
    return this.until(async () => {
      const shown = await this.hover();
      return shown.includes(text) && shown;
    }, `the hover does not show '${text}'`);
  }

  /** Applies the first quick fix, whose title has `title`. A menu that was opened before the server answered has none. */
  async quickFix(title) {
    const row = this.page.locator(".action-widget .monaco-list-row.action").first();
    await this.until(async () => {
      await this.press("Escape", "Control+.");
      return row.filter({ hasText: title }).waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
    }, `no quick fix '${title}' is offered first`);
    const text = (await row.innerText()).trim();
    await this.press("Enter");
    await this.page.locator(".action-widget").waitFor({ state: "hidden" });
    return text;
  }

  statusBar(text) {
    const item = this.page.locator(".part.statusbar .statusbar-item", { hasText: text }).first();
    return item.waitFor().then(() => item.innerText());
  }

  async notification(text) {
    const toast = this.page.locator(".notifications-toasts .notification-list-item", { hasText: text }).first();
    await toast.waitFor();
    return (await toast.locator(".notification-list-item-message").innerText()).trim();
  }
}

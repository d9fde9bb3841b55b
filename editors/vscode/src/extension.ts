// The extension: makes its parts and connects them to VS Code.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import * as vscode from "vscode";
import { Checks } from "./check";
import { CoverageView, explain, OpsigTasks, showMenu, showOperator } from "./commands";
import { FindingStore } from "./findings";
import { Host } from "./host";
import { Pages } from "./pages";
import { Servers } from "./servers";
import { StatusBar } from "./statusBar";

let running: Servers | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const host = new Host();
  await host.start();
  const pages = new Pages(host);
  const store = new FindingStore();
  const checks = new Checks(host, store, pages);
  const servers = (running = new Servers(host, context.globalState));
  const status = new StatusBar(host, checks.onDidCheck);
  const coverage = new CoverageView(host);
  const command = (name: string, run: () => unknown) => vscode.commands.registerCommand(`opsig.${name}`, run);
  context.subscriptions.push(
    host,
    pages,
    store,
    checks,
    servers,
    status,
    coverage,
    vscode.tasks.registerTaskProvider("opsig", new OpsigTasks(host)),
    command("checkProject", () => checks.checkProject()),
    command("fixAll", () => checks.fixAll()),
    command("explain", () => explain(host, pages)),
    command("showOperator", () => showOperator(host, pages)),
    command("coverage", () => coverage.show()),
    command("useOpsigClangd", () => servers.useOpsigClangd()),
    command("clearFindings", () => store.clear()),
    command("restart", () => servers.restart()),
    command("showOutput", () => host.output.show()),
    command("showMenu", () => showMenu()),
  );
  await vscode.commands.executeCommand("setContext", "opsig.active", true);
  for (const name of ["opsig", "opsig-clangd"] as const) {
    for (const line of host.program(name).looked) host.log(line);
  }
  // Nothing waits for the servers: a server that cannot be started must not take the commands away.
  void servers.update();
  void status.update();
}

export async function deactivate(): Promise<void> {
  await running?.stop();
}

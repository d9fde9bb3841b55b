// The PyTorch release that the open file is checked against.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import * as vscode from "vscode";
import { currentFolder, Host } from "./host";
import { run } from "./run";
import { readConfig, Setting, statusText, statusTooltip } from "./torchInUse";

const Languages = new Set(["c", "cpp", "cuda-cpp", "objective-cpp", "python", "yaml"]);

export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("opsig.torch", vscode.StatusBarAlignment.Right, 90);
  private readonly known = new Map<string, Map<string, Setting>>();
  private lastCheck = "";
  private turn = 0;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly host: Host,
    onDidCheck: vscode.Event<string>,
  ) {
    this.item.name = "opsig: PyTorch in use";
    this.item.command = "opsig.showMenu";
    this.disposables = [
      this.item,
      vscode.window.onDidChangeActiveTextEditor(() => void this.update()),
      host.onDidChange(() => this.forget()),
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (document.fileName.endsWith(".opsig.yaml")) this.forget();
      }),
      onDidCheck((summary) => {
        this.lastCheck = `last project check, ${new Date().toLocaleTimeString()}: ${summary}`;
        void this.update();
      }),
    ];
  }

  dispose(): void {
    for (const each of this.disposables) each.dispose();
  }

  private forget(): void {
    this.known.clear();
    void this.update();
  }

  async update(): Promise<void> {
    const turn = ++this.turn;
    const document = vscode.window.activeTextEditor?.document;
    const isWanted = vscode.workspace.getConfiguration("opsig").get("statusBar", true);
    if (!isWanted || !document || document.uri.scheme !== "file" || !Languages.has(document.languageId)) {
      this.item.hide();
      return;
    }
    const found = this.host.program("opsig");
    if (!found.program) {
      this.item.text = "opsig: not found";
      this.item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
      this.item.tooltip = [found.problem, ...found.looked].join("\n");
      this.item.show();
      return;
    }
    const settings = await this.settingsOf(found.program, document.uri);
    if (turn !== this.turn) return;
    this.item.text = statusText(settings);
    this.item.backgroundColor = undefined;
    this.item.tooltip = [statusTooltip(settings, found.program, found.origin ?? ""), this.lastCheck].filter(Boolean).join("\n");
    this.item.show();
  }

  /** Files of one folder have the same settings. */
  private async settingsOf(program: string, uri: vscode.Uri): Promise<Map<string, Setting>> {
    const folder = vscode.Uri.joinPath(uri, "..").fsPath;
    const known = this.known.get(folder);
    if (known) return known;
    const cwd = currentFolder()?.uri.fsPath ?? folder;
    const args = ["config", "--format=json", "--color=never", ...this.host.schemaArguments(uri), uri.fsPath];
    try {
      const result = await run(program, args, { cwd, environment: this.host.environment() });
      const settings = readConfig(result.stdout);
      this.known.set(folder, settings);
      return settings;
    } catch (error) {
      this.host.log(`opsig config: ${error}`);
      return new Map();
    }
  }
}

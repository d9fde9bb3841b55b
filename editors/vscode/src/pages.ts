// Read-only documents with what opsig prints: pages of checks, operators, diffs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import * as vscode from "vscode";
import { errorOf } from "./run";
import { folders, Host } from "./host";

const ExplainScheme = "opsig-explain";
const TextScheme = "opsig-text";

/** The page of a check. Pages link to each other by the names of their files. */
export function explainUri(id: string): vscode.Uri {
  return vscode.Uri.from({ scheme: ExplainScheme, path: `/${id.replace(/^opsig-/, "")}.md` });
}

export class Pages implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly host: Host) {
    this.disposables = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(ExplainScheme, {
        provideTextDocumentContent: (uri) => this.explain(uri),
      }),
      vscode.workspace.registerTextDocumentContentProvider(TextScheme, {
        onDidChange: this.changed.event,
        provideTextDocumentContent: (uri) => this.texts.get(uri.path) ?? "",
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document.uri.scheme === TextScheme) this.texts.delete(document.uri.path);
      }),
    ];
  }

  dispose(): void {
    for (const each of this.disposables) each.dispose();
  }

  /** Shows a text under a name, whose extension decides the language. */
  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: TextScheme, path: `/${name}` });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  async showExplanation(id: string): Promise<void> {
    await vscode.commands.executeCommand("markdown.showPreview", explainUri(id));
  }

  private async explain(uri: vscode.Uri): Promise<string> {
    const id = /^\/([a-z0-9-]+)\.md$/.exec(uri.path)?.[1];
    if (!id) return "There is no such page.\n";
    const cwd = folders()[0]?.uri.fsPath ?? process.cwd();
    const result = await this.host.opsig(["explain", "--color=never", id], cwd);
    if (!result) return "The program opsig was not found.\n";
    return result.status === 0 ? result.stdout : `${errorOf(result)}\n`;
  }
}

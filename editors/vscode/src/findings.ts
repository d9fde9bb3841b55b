// Findings of `opsig check` as VS Code shows them: diagnostics, links to their pages, quick fixes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import * as fs from "node:fs/promises";
import * as vscode from "vscode";
import { explainUri } from "./pages";
import { Finding, Place, utf16Offset } from "./sarif";

/** The source of these diagnostics. Those of the language servers have others. */
export const Source = "opsig check";

/** Lines of files, each read once. */
class Lines {
  private readonly known = new Map<string, Promise<string[]>>();

  of(file: string): Promise<string[]> {
    let lines = this.known.get(file);
    if (!lines) {
      lines = fs.readFile(file, "utf8").then(
        (text) => text.split(/\r\n|\n|\r/),
        () => [],
      );
      this.known.set(file, lines);
    }
    return lines;
  }

  async location(place: Place): Promise<vscode.Location> {
    const lines = await this.of(place.file);
    const { startLine, startColumn, endLine, endColumn } = place.region;
    const position = (line: number, column: number): vscode.Position =>
      new vscode.Position(line - 1, utf16Offset(lines[line - 1] ?? "", column));
    return new vscode.Location(
      vscode.Uri.file(place.file),
      new vscode.Range(position(startLine, startColumn), position(endLine, endColumn)),
    );
  }
}

interface Shown {
  diagnostic: vscode.Diagnostic;
  edits: { uri: vscode.Uri; range: vscode.Range; text: string }[];
}

export function idOf(diagnostic: vscode.Diagnostic): string {
  const code = diagnostic.code;
  return String((typeof code === "object" ? code.value : code) ?? "");
}

async function toShow(finding: Finding, lines: Lines): Promise<Shown> {
  const at = await lines.location(finding);
  const severity = finding.level === "error" ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const diagnostic = new vscode.Diagnostic(at.range, finding.message, severity);
  diagnostic.source = Source;
  diagnostic.code = { value: finding.id, target: explainUri(finding.id) };
  diagnostic.relatedInformation = await Promise.all(
    finding.notes.map(async (note) => new vscode.DiagnosticRelatedInformation(await lines.location(note), note.message)),
  );
  const edits = await Promise.all(
    finding.edits.map(async (edit) => {
      const where = await lines.location(edit);
      return { uri: where.uri, range: where.range, text: edit.text };
    }),
  );
  return { diagnostic, edits };
}

/**
 * Findings by file and by the check that found them: "project", or one file's own. A finding that a language server shows
 * already is not shown twice. An edit of a file takes its findings away, because their places hold no longer.
 */
export class FindingStore implements vscode.Disposable, vscode.CodeActionProvider {
  private readonly collection = vscode.languages.createDiagnosticCollection("opsig");
  private readonly byFile = new Map<string, Map<string, Shown[]>>();
  private readonly disposables: vscode.Disposable[];

  constructor() {
    this.disposables = [
      this.collection,
      vscode.languages.onDidChangeDiagnostics((event) => {
        for (const uri of event.uris) if (this.byFile.has(uri.toString())) this.publish(uri);
      }),
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.contentChanges.length > 0) this.forget(event.document.uri);
      }),
      vscode.languages.registerCodeActionsProvider({ scheme: "file" }, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    ];
  }

  dispose(): void {
    for (const each of this.disposables) each.dispose();
  }

  /** Replaces what `origin` has found; in `only`, if given. */
  async replace(origin: string, findings: readonly Finding[], only?: vscode.Uri): Promise<void> {
    const lines = new Lines();
    const shown = await Promise.all(findings.map((each) => toShow(each, lines)));
    const changed = new Set<string>();
    for (const [file, origins] of this.byFile) {
      if ((!only || only.toString() === file) && origins.delete(origin)) changed.add(file);
    }
    findings.forEach((finding, index) => {
      const file = vscode.Uri.file(finding.file).toString();
      if (only && only.toString() !== file) return;
      const origins = this.byFile.get(file) ?? new Map<string, Shown[]>();
      this.byFile.set(file, origins);
      origins.set(origin, [...(origins.get(origin) ?? []), shown[index]]);
      changed.add(file);
    });
    for (const file of changed) this.publish(vscode.Uri.parse(file));
  }

  unsavedFiles(): Set<string> {
    return new Set(vscode.workspace.textDocuments.filter((each) => each.isDirty).map((each) => each.uri.fsPath));
  }

  clear(): void {
    this.byFile.clear();
    this.collection.clear();
  }

  private forget(uri: vscode.Uri): void {
    if (this.byFile.delete(uri.toString())) this.collection.delete(uri);
  }

  private publish(uri: vscode.Uri): void {
    const of = (each: vscode.Diagnostic): string => `${each.range.start.line} ${idOf(each)}`;
    const others = vscode.languages.getDiagnostics(uri).filter((each) => each.source !== Source);
    const known = new Set(others.map(of));
    const wanted: vscode.Diagnostic[] = [];
    for (const shown of this.byFile.get(uri.toString())?.values() ?? []) {
      for (const { diagnostic } of shown) {
        if (!known.has(of(diagnostic))) wanted.push(diagnostic);
      }
      for (const { diagnostic } of shown) known.add(of(diagnostic));
    }
    // Setting what is there already would announce a change, and so call this again.
    const now = this.collection.get(uri) ?? [];
    const isSame = now.length === wanted.length && wanted.every((each, at) => now[at] && of(now[at]) === of(each) && now[at].message === each.message);
    if (!isSame) this.collection.set(uri, wanted);
  }

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const actions: vscode.CodeAction[] = [];
    const visible = new Set((this.collection.get(document.uri) ?? []).map((each) => `${each.range.start.line} ${each.message}`));
    for (const shown of this.byFile.get(document.uri.toString())?.values() ?? []) {
      for (const { diagnostic, edits } of shown) {
        const key = `${diagnostic.range.start.line} ${diagnostic.message}`;
        if (edits.length === 0 || !visible.has(key) || !diagnostic.range.intersection(range)) continue;
        const action = new vscode.CodeAction(`Fix: ${diagnostic.message}`, vscode.CodeActionKind.QuickFix);
        action.diagnostics = [diagnostic];
        action.isPreferred = true;
        action.edit = new vscode.WorkspaceEdit();
        for (const edit of edits) action.edit.replace(edit.uri, edit.range, edit.text);
        actions.push(action);
      }
    }
    return actions;
  }
}

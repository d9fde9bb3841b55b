// SARIF 2.1.0 as opsig writes it => findings. Nothing here needs VS Code.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import { fileURLToPath } from "node:url";

/** Lines and columns count from 1; a column counts code points, as opsig's logs say. The end is behind the last one. */
export interface Region {
  startLine: number;
  startColumn: number;
  endLine: number;
  endColumn: number;
}

export interface Place {
  file: string;
  region: Region;
}

export interface Edit extends Place {
  text: string;
}

export interface Finding extends Place {
  id: string;
  level: "error" | "warning";
  message: string;
  notes: (Place & { message: string })[];
  /** All of them together are one fix. */
  edits: Edit[];
}

export interface Report {
  findings: Finding[];
  /** What opsig could not read or compare, and its summary. */
  notes: string[];
}

type Json = Record<string, any>;

function regionOf(json: Json | undefined): Region {
  const startLine = json?.startLine ?? 1;
  const startColumn = json?.startColumn ?? 1;
  const endLine = json?.endLine ?? startLine;
  // Without an end column a region ends with its line.
  return { startLine, startColumn, endLine, endColumn: json?.endColumn ?? Number.MAX_SAFE_INTEGER };
}

/** Reads a log. Throws where the text is not a SARIF log. */
export function readSarif(text: string): Report {
  const log = JSON.parse(text) as Json;
  if (log?.version !== "2.1.0" || !Array.isArray(log.runs)) throw new Error("not a SARIF 2.1.0 log");
  const report: Report = { findings: [], notes: [] };
  for (const run of log.runs as Json[]) readRun(run, report);
  return report;
}

function readRun(run: Json, report: Report): void {
  if (run.columnKind && run.columnKind !== "unicodeCodePoints") {
    throw new Error(`columns count '${run.columnKind}'; expected 'unicodeCodePoints'`);
  }
  const bases: Json = run.originalUriBaseIds ?? {};
  const fileOf = (location: Json): string => {
    const base: string | undefined = location.uriBaseId && bases[location.uriBaseId]?.uri;
    return fileURLToPath(new URL(location.uri, base));
  };
  const placeOf = (physical: Json): Place => ({
    file: fileOf(physical.artifactLocation),
    region: regionOf(physical.region),
  });
  const editsOf = (fix: Json): Edit[] =>
    (fix.artifactChanges as Json[]).flatMap((change) =>
      (change.replacements as Json[]).map((each) => ({
        file: fileOf(change.artifactLocation),
        region: regionOf(each.deletedRegion),
        text: each.insertedContent?.text ?? "",
      })),
    );
  for (const invocation of (run.invocations ?? []) as Json[]) {
    for (const note of (invocation.toolExecutionNotifications ?? []) as Json[]) report.notes.push(note.message.text);
  }
  for (const result of (run.results ?? []) as Json[]) {
    const physical = result.locations?.[0]?.physicalLocation;
    if (!physical || (result.suppressions ?? []).length > 0) continue;
    report.findings.push({
      ...placeOf(physical),
      id: result.ruleId,
      level: result.level === "error" ? "error" : "warning",
      message: result.message.text,
      notes: ((result.relatedLocations ?? []) as Json[])
        .filter((each) => each.physicalLocation)
        .map((each) => ({ ...placeOf(each.physicalLocation), message: each.message?.text ?? "" })),
      edits: result.fixes?.[0] ? editsOf(result.fixes[0]) : [],
    });
  }
}

/** The offset in UTF-16 units of a column that counts code points from 1; at most the end of the line. */
export function utf16Offset(line: string, column: number): number {
  let offset = 0;
  for (let left = column - 1; left > 0 && offset < line.length; --left) {
    offset += line.codePointAt(offset)! > 0xffff ? 2 : 1;
  }
  return offset;
}

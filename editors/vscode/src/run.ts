// Runs opsig and collects what it prints. Nothing here needs VS Code.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import { spawn } from "node:child_process";

export interface RunOptions {
  cwd: string;
  /** Variables besides those of this process. */
  environment?: Record<string, string>;
  /** Ends the program. */
  signal?: AbortSignal;
}

export interface RunResult {
  /** The exit status; null where a signal ended the program. */
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Exit statuses of opsig. */
export const ExitClean = 0;
export const ExitFindings = 1;

/** What one run may print. */
const MostBytes = 256 * 1024 * 1024;

/** Runs `program` without a shell. Rejects where it cannot be started, or prints without end. */
export function run(program: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.environment },
      signal: options.signal,
      shell: false,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    const chunks: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] };
    let size = 0;
    const collect = (stream: "stdout" | "stderr") => (chunk: Buffer) => {
      size += chunk.length;
      if (size > MostBytes) {
        child.kill();
        reject(new Error(`${program} printed more than ${MostBytes} bytes`));
        return;
      }
      chunks[stream].push(chunk);
    };
    child.stdout.on("data", collect("stdout"));
    child.stderr.on("data", collect("stderr"));
    child.on("error", reject);
    child.on("close", (status) =>
      resolve({
        status,
        stdout: Buffer.concat(chunks.stdout).toString("utf8"),
        stderr: Buffer.concat(chunks.stderr).toString("utf8"),
      }),
    );
  });
}

/** The first error that opsig printed, without its prefix; a sentence about the exit status where there is none. */
export function errorOf(result: RunResult): string {
  const line = result.stderr.split("\n").find((each) => /(^|: )error: /.test(each));
  if (line) return line.replace(/^opsig: error: /, "");
  return result.status === null ? "opsig was ended by a signal" : `opsig ended with status ${result.status}`;
}

/** The last line of a run: what was read, compared and found. */
export function summaryOf(result: RunResult): string {
  const lines = result.stderr.split("\n").filter((each) => each.startsWith("opsig: "));
  return lines.length > 0 ? lines[lines.length - 1].slice("opsig: ".length) : "";
}

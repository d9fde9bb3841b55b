// Where opsig and opsig-clangd are. Nothing here needs VS Code.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import * as fs from "node:fs";
import * as path from "node:path";

export type ProgramName = "opsig" | "opsig-clangd";
export type ProgramOrigin = "setting" | "beside opsig" | "PATH" | "Python interpreter";

export interface ProgramSearch {
  name: ProgramName;
  /** What the user's setting names; "" for nothing. */
  configured: string;
  /** The environment variable PATH. */
  pathVariable: string;
  home: string;
  workspaceFolders: readonly string[];
  /** In a workspace that is not trusted, programs inside it are not started. */
  trusted: boolean;
  /** The selected Python interpreter; undefined where none is, or none may be asked. */
  interpreter?: string;
  /** opsig itself, when its companion is searched. */
  opsig?: string;
}

export interface ProgramFound {
  program?: string;
  origin?: ProgramOrigin;
  /** Why there is none. */
  problem?: string;
  /** Each place that was looked at, with what was found there. */
  looked: string[];
}

export function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

function realPath(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}

/** Whether `file` is in one of `folders`, as named or behind links. */
export function isInside(file: string, folders: readonly string[]): boolean {
  const isBelow = (at: string, folder: string): boolean => {
    const relative = path.relative(folder, at);
    return relative === "" || (!relative.startsWith(".." + path.sep) && relative !== ".." && !path.isAbsolute(relative));
  };
  return folders.some((folder) => isBelow(path.resolve(file), folder) || isBelow(realPath(file), realPath(folder)));
}

export function expandHome(file: string, home: string): string {
  return file === "~" || file.startsWith("~/") ? path.join(home, file.slice(1)) : file;
}

/** Where pip puts programs of the packages of an interpreter. */
export function scriptFolders(interpreter: string, home: string): string[] {
  const folder = path.dirname(interpreter);
  const isVirtual = fs.existsSync(path.join(folder, "..", "pyvenv.cfg"));
  // `pip install --user` is not possible in a virtual environment.
  return isVirtual ? [folder] : [folder, path.join(home, ".local", "bin")];
}

function placesOf(search: ProgramSearch): [ProgramOrigin, string][] {
  const places: [ProgramOrigin, string][] = [];
  if (search.opsig) places.push(["beside opsig", path.dirname(search.opsig)]);
  for (const folder of search.pathVariable.split(path.delimiter)) {
    // A relative folder would mean whatever folder VS Code happens to run in.
    if (path.isAbsolute(folder)) places.push(["PATH", folder]);
  }
  if (search.interpreter && path.isAbsolute(search.interpreter)) {
    for (const folder of scriptFolders(search.interpreter, search.home)) places.push(["Python interpreter", folder]);
  }
  return places;
}

export function findProgram(search: ProgramSearch): ProgramFound {
  const looked: string[] = [];
  const setting = search.name === "opsig" ? "opsig.path" : "opsig.clangd.path";
  if (search.configured) {
    const program = expandHome(search.configured, search.home);
    if (!path.isAbsolute(program)) {
      return { problem: `'${setting}' is '${search.configured}'; expected an absolute path`, looked };
    }
    // Nothing else is tried: the user has said which one is meant.
    if (!isExecutable(program)) {
      return { problem: `'${setting}' is '${search.configured}', which is not an executable file`, looked };
    }
    return { program, origin: "setting", looked: [`${program}: found (setting)`] };
  }
  const file = process.platform === "win32" ? `${search.name}.exe` : search.name;
  const seen = new Set<string>();
  let found: { program: string; origin: ProgramOrigin } | undefined;
  for (const [origin, folder] of placesOf(search)) {
    const program = path.join(folder, file);
    if (seen.has(program)) continue;
    seen.add(program);
    if (!isExecutable(program)) {
      looked.push(`${program}: not there (${origin})`);
    } else if (!search.trusted && isInside(program, search.workspaceFolders)) {
      looked.push(`${program}: not used, the workspace is not trusted (${origin})`);
    } else if (found) {
      looked.push(`${program}: found, but the one above is used (${origin})`);
    } else {
      found = { program, origin };
      looked.push(`${program}: found (${origin})`);
    }
  }
  return found ? { ...found, looked } : { problem: `no program '${search.name}' was found`, looked };
}

/**
 * The variables by which opsig finds the PyTorch of the selected interpreter. `.opsig.yaml` and --torch-root go before
 * them.
 */
export function pythonEnvironment(interpreter: string | undefined): Record<string, string> {
  if (!interpreter) return {};
  const prefix = path.dirname(path.dirname(interpreter));
  if (fs.existsSync(path.join(prefix, "pyvenv.cfg"))) return { VIRTUAL_ENV: prefix };
  if (fs.existsSync(path.join(prefix, "conda-meta"))) return { CONDA_PREFIX: prefix };
  return {};
}

// Who serves C++ and CUDA files: this extension, the clangd extension, or nobody. There is never a second clangd.
// Nothing here needs VS Code.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import * as path from "node:path";

export interface ClangdSituation {
  mode: "auto" | "off";
  /** The clangd extension is installed and enabled. */
  hasClangdExtension: boolean;
  /** Its setting clangd.enable. */
  isClangdEnabled: boolean;
  /** Its setting clangd.path. */
  clangdPath: string;
  /** The program that was found; undefined for none. */
  opsigClangd?: string;
}

export type ClangdChoice =
  /** This extension starts opsig-clangd. */
  | { kind: "own"; program: string }
  /** The clangd extension runs opsig-clangd already. */
  | { kind: "beside" }
  /** The clangd extension runs another clangd; the user can let it run this program. */
  | { kind: "offer"; program: string }
  | { kind: "none"; why: string };

export function chooseClangd(now: ClangdSituation): ClangdChoice {
  if (now.mode === "off") return { kind: "none", why: "'opsig.clangd.mode' is 'off'" };
  if (now.hasClangdExtension && now.isClangdEnabled) {
    if (path.basename(now.clangdPath).replace(/\.exe$/i, "") === "opsig-clangd") return { kind: "beside" };
    if (!now.opsigClangd) return { kind: "none", why: "the clangd extension runs, and no opsig-clangd was found" };
    return { kind: "offer", program: now.opsigClangd };
  }
  if (!now.opsigClangd) return { kind: "none", why: "no opsig-clangd was found" };
  return { kind: "own", program: now.opsigClangd };
}

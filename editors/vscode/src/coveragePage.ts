// The page of `opsig coverage --format html` as a web view shows it. Nothing here needs VS Code.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

const ThemeStyle = `
body.vscode-dark, body.vscode-high-contrast { color-scheme: dark; --error: #f77; --warning: #fb4; --good: #6d6; }
body.vscode-light, body.vscode-high-contrast-light { color-scheme: light; --error: #c22; --warning: #a60; --good: #171; }
body.vscode-body, .vscode-body form, .vscode-body .ops thead th, .vscode-body .ops td:first-child {
  background: var(--vscode-editor-background); color: var(--vscode-editor-foreground); }
`;

/** Links lead to files; the extension opens them. */
const LinkScript = `
{
  const host = acquireVsCodeApi();
  document.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!link) return;
    event.preventDefault();
    host.postMessage({ open: link.getAttribute('href') });
  }, true);
}
`;

function countOf(text: string, what: RegExp): number {
  return [...text.matchAll(what)].length;
}

/**
 * The page with a policy that runs its one script and nothing else, loads nothing and sends nothing. Throws where the
 * page has more than one script or style, because the one that opsig wrote could not be known then.
 */
export function withPolicy(page: string, nonce: string): string {
  const counts = [/<script/gi, /<script>/g, /<style/gi, /<style>/g].map((each) => countOf(page, each));
  if (counts.some((count) => count !== 1) || countOf(page, /<meta charset="utf-8">/g) !== 1) {
    throw new Error("the page of opsig coverage is not of the expected form");
  }
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return page
    .replace('<meta charset="utf-8">', `$&\n<meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replace("<style>", `<style nonce="${nonce}">`)
    .replace("</style>", () => `</style>\n<style nonce="${nonce}">${ThemeStyle}</style>`)
    .replace("<script>", () => `<script nonce="${nonce}">${LinkScript}</script>\n<script nonce="${nonce}">`);
}

/** The file and line (from 1) that a link of the page names; undefined where it is not a link to a file. */
export function linkTarget(href: unknown): { uri: string; line: number } | undefined {
  if (typeof href !== "string" || !href.startsWith("file:///")) return undefined;
  const [uri, fragment] = href.split("#");
  const line = /^L(\d{1,9})$/.exec(fragment ?? "");
  return { uri, line: line ? Math.max(1, Number(line[1])) : 1 };
}

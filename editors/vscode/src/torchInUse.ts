// The settings in effect, as `opsig config --format json` prints them. Nothing here needs VS Code.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

export interface Setting {
  value: string;
  from: string;
}

/** One JSON object per line; lines of another form are left out. */
export function readConfig(text: string): Map<string, Setting> {
  const settings = new Map<string, Setting>();
  for (const line of text.split("\n")) {
    if (!line.startsWith("{")) continue;
    try {
      const { setting, value, from } = JSON.parse(line);
      if (typeof setting === "string") settings.set(setting, { value: String(value ?? ""), from: String(from ?? "") });
    } catch {
      // Not a setting.
    }
  }
  return settings;
}

/** What the status bar says. The release stands in front of what opsig adds in parentheses. */
export function statusText(settings: Map<string, Setting>): string {
  const release = (settings.get("torch")?.value ?? "").split(" ")[0];
  return release ? `opsig: PyTorch ${release}` : "opsig: no PyTorch";
}

export function statusTooltip(settings: Map<string, Setting>, program: string, origin: string): string {
  const lines = [`${program} (${origin})`];
  for (const [name, label] of [
    ["torch", "PyTorch"],
    ["torch-root", "torch root"],
    [".opsig.yaml", "settings"],
    ["backend", "backend"],
    ["build", "compile commands"],
  ]) {
    const setting = settings.get(name);
    if (setting?.value) lines.push(`${label}: ${setting.value}${setting.from ? ` (${setting.from})` : ""}`);
  }
  return lines.join("\n");
}

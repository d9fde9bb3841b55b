// Opens pages that opsig wrote as readers do, and prints what is to be seen; usage: pages.mjs MODULES SHOTS PAGE...
// Each page is opened at 1280 and 390 pixels, for light and for dark readers. Screenshots are in SHOTS.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import * as fs from "node:fs";
import * as path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, shots, ...pages] = process.argv.slice(2).map((each) => path.resolve(each));
const require = createRequire(path.join(modules, "node_modules", "none.js"));
const { chromium } = require("playwright-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
fs.mkdirSync(shots, { recursive: true });

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
for (const file of pages)
  for (const width of [1280, 390])
    for (const colorScheme of ["light", "dark"]) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      const page = await context.newPage();
      const errors = [];
      page.on("pageerror", (error) => errors.push(error.message));
      await page.goto(pathToFileURL(file).href);
      for (const details of await page.locator("details").all()) await details.evaluate((each) => (each.open = true));
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      // The keyboard reaches every control, and shows where it is.
      const controls = await page.locator("a, button:visible, select:visible, input:visible, summary").count();
      const reached = new Set();
      for (let step = 0; step < controls + 60; ++step) {
        await page.keyboard.press("Tab");
        reached.add(
          await page.evaluate(() => {
            const at = document.activeElement;
            if (!at.matches("a, button, select, input, summary")) return -1;
            const outline = getComputedStyle(at).outlineStyle !== "none";
            return outline ? [...document.querySelectorAll("*")].indexOf(at) : -1;
          }),
        );
      }
      reached.delete(-1);
      const name = `${path.basename(file, ".html")}-${width}-${colorScheme}`;
      await page.evaluate(() => scrollTo(0, 0));
      await page.screenshot({ path: path.join(shots, `${name}.png`), fullPage: true });
      const found = violations.map((each) => `${each.id} (${each.nodes.length}: ${each.nodes[0].target})`);
      console.log(`${name}: ${found.join("; ") || "no violation"}; ${wide > 0 ? `${wide} pixels too wide` : "fits"}; ` +
        `keyboard ${reached.size >= controls ? "reaches all" : `${reached.size} of ${controls}`}${errors.map((each) => "; error: " + each).join("")}`);
      await context.close();
    }
await browser.close();

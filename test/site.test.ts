/** `npm run site`: every page of the documentation, the four parts beside it, and the search, in a real browser. */
import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeWithPeers } from "./peers.js";
import { launchBrowser } from "./report/browser.js";
import { inRepository } from "./repository.js";

const out = mkdtempSync(join(tmpdir(), "everypath-site-"));

beforeAll(async () => {
  const vitepress = inRepository("node_modules/vitepress/bin/vitepress.js");
  await promisify(execFile)(process.execPath, [vitepress, "build", inRepository("site")], {
    env: { ...process.env, SITE_OUT: out },
    maxBuffer: 64 * 1024 * 1024,
  });
}, 240_000);
afterAll(() => rmSync(out, { recursive: true, force: true }));

test("every page of the documentation is a page of the site", () => {
  const pages = readdirSync(inRepository("docs"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  );
  expect(pages.length).toBeGreaterThan(60);
  for (const page of pages.filter((name) => name !== "README.md"))
    expect(
      existsSync(
        join(
          out,
          "docs",
          page.replace(/README\.md$|\.md$/, (end) => (end === ".md" ? ".html" : "index.html")),
        ),
      ),
      page,
    ).toBe(true);
});

/** Links of the built pages to files of the site and to anchors in them. */
test("every link has a target, also in the page", () => {
  const files = readdirSync(out, { recursive: true, encoding: "utf8" });
  const pages = files.filter((name) => name.endsWith(".html") && name !== "404.html");
  const anchorsOf = new Map(
    pages.map((page) => [
      page,
      new Set([...readFileSync(join(out, page), "utf8").matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
    ]),
  );
  const broken: string[] = [];
  for (const page of pages) {
    const html = readFileSync(join(out, page), "utf8");
    const body = html.slice(html.indexOf('class="vp-doc'));
    for (const [, href = ""] of body.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      if (/^\w+:/.test(href)) continue;
      const [path = "", anchor] = href.split("#");
      const target =
        path === ""
          ? page
          : decodeURI(path)
              .replace(/^\//, "")
              .replace(/\/$|^$/, (end) => `${end}index.html`);
      const isThere = existsSync(join(out, target)) && statSync(join(out, target)).isFile();
      if (!isThere) broken.push(`${page}: ${href}`);
      else if (anchor && target.endsWith(".html") && !anchorsOf.get(target)?.has(decodeURIComponent(anchor)))
        broken.push(`${page}: ${href} (no such heading)`);
    }
  }
  expect(broken).toEqual([]);
});

describeWithPeers("the site in Chromium", ["chromium"], () => {
  test("shows the four parts and finds words, at two widths", { timeout: 120_000 }, async () => {
    const server = await serve(out);
    const browser = await launchBrowser();
    try {
      const { port } = server.address() as AddressInfo;
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`http://127.0.0.1:${port}/`);
        expect(await page.textContent(".vp-doc h1")).toContain("Documentation");
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
        const folder = process.env["EVERYPATH_SCREENSHOTS"];
        if (folder !== undefined) await page.screenshot({ path: join(folder, `site-${width}.png`) });
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      const groups = await page.locator(".VPSidebar .level-0 > .item h2").allTextContents();
      expect(groups).toEqual(["Tutorial", "How-to", "Reference", "Background"]);
      await page.keyboard.press("Control+k");
      await page.fill(".VPLocalSearchBox input", "bitstate");
      await page.waitForSelector(".VPLocalSearchBox .result");
      await page.keyboard.press("Enter");
      await page.waitForURL(/docs\//);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      server.close();
    }
  });
});

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".webp": "image/webp",
  ".txt": "text/plain",
};

function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = decodeURI((request.url ?? "/").split(/[?#]/)[0] ?? "/").replace(/\/$/, "/index.html");
    const file = join(folder, path);
    if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
    response.end(readFileSync(file));
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

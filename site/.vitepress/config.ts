/**
 * The documentation as a static site with search. Pages are the Markdown files of the repository as they are; the sidebar is the
 * index, `docs/README.md`. Links to other files of the repository lead to copies of them. A link without a target ends the build.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type DefaultTheme } from "vitepress";
import { anchorOf } from "../anchors.js";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const INDEX = "docs/README.md";

/** Files that pages link to, by their path in the repository. */
const linked = new Set<string>();

export default defineConfig({
  title: "Everypath",
  description: "Explores every path that a concurrent system can take, and shows the one that breaks it.",
  srcDir: root,
  srcExclude: readdirSync(root)
    .filter((name) => !isPublished(name) && !isPublished(`${name}/`))
    .flatMap((name) => [name, `${name}/**`]),
  outDir: process.env["SITE_OUT"] ?? join(root, "site/out"),
  cacheDir: join(root, "node_modules/.cache/vitepress"),
  rewrites: addressOf,
  // Examples are addressed by folders, too.
  cleanUrls: false,
  // Checked below, where the file is known.
  ignoreDeadLinks: [/^\/files\//],
  markdown: {
    anchor: { slugify: anchorOf },
    // Close enough for colours.
    languageAlias: { promela: "c", murphi: "pascal", wat: "wasm" },
    config: (md) => {
      md.core.ruler.push("files of the repository", (state) => {
        const { realPath, path } = state.env as { realPath?: string; path: string };
        const page = posix.relative(root, realPath ?? path);
        for (const token of state.tokens.flatMap(({ children }) => children ?? []))
          if (token.type === "link_open") {
            const href = token.attrGet("href") ?? "";
            token.attrSet("href", targetOf(href, page));
          }
      });
    },
  },
  themeConfig: {
    search: { provider: "local" },
    sidebar: sidebarOf(readFileSync(join(root, INDEX), "utf8")),
    outline: [2, 3],
  },
  buildEnd: ({ outDir }) => {
    for (const file of linked) {
      const copy = join(outDir, "files", `${file}.txt`);
      mkdirSync(dirname(copy), { recursive: true });
      const isFolder = statSync(join(root, file)).isDirectory();
      if (isFolder) writeFileSync(copy, `${readdirSync(join(root, file)).join("\n")}\n`);
      else copyFileSync(join(root, file), copy);
    }
  },
});

/** The documentation, the examples, and three pages at the root. */
function isPublished(file: string): boolean {
  return /^(docs|examples)\/|^(README|CONTRIBUTING|CHANGELOG)\.md$/.test(file);
}

/** The index is the first page. */
function addressOf(page: string): string {
  if (page === INDEX) return "index.md";
  return page === "README.md" ? "about.md" : page.replace(/README\.md$/, "index.md");
}

/** Addresses stay as they are, links to pages begin at the root; other files of the repository are copied as text, and folders listed. */
function targetOf(href: string, page: string): string {
  if (/^(\w+:|#)/.test(href)) return href;
  const [path = "", hash] = href.split("#");
  const file = posix.normalize(posix.join(posix.dirname(page), decodeURI(path))).replace(/\/$/, "");
  if (!existsSync(join(root, file))) throw new Error(`${page}: no file ${file}`);
  const anchor = hash === undefined ? "" : `#${hash}`;
  const readme = `${file}/README.md`;
  const isFolder = statSync(join(root, file)).isDirectory();
  const target = isFolder && existsSync(join(root, readme)) ? readme : file;
  if (target.endsWith(".md") && isPublished(target)) return `/${addressOf(target)}${anchor}`;
  linked.add(file);
  return `/files/${file}.txt`;
}

/** A group for each part of the index, an item for each row of its table. */
function sidebarOf(index: string): DefaultTheme.SidebarItem[] {
  return index
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      text: part.split("\n")[0] ?? "",
      collapsed: false,
      items: [...part.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\)/gm)].map(([, text = "", link = ""]) => ({
        text,
        link: `/docs/${link.replace(/README\.md$/, "index.md")}`,
      })),
    }));
}

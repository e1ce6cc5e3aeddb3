/**
 * Compares the documentation with the product: commands print the output shown, options and diagnostics are listed,
 * links have targets.
 *
 * A block marked `console` contains commands (`$ everypath …`) and their output, run in a folder with the examples. A
 * line `…` stands for omitted lines. Times may differ; `npx vitest run test/docs.test.ts -u` rewrites the rest.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { useCli } from "./cli/built-cli.js";
import { describeWithPeers, hasClang } from "./peers.js";
import { inRepository } from "./repository.js";

const cli = useCli();
const pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...pagesIn("docs"), ...pagesIn("examples")];
const read = (page: string): string => readFileSync(inRepository(page), "utf8");

beforeAll(() => cpSync(inRepository("examples"), join(cli.directory, "examples"), { recursive: true }));

describe("commands print the output shown in", () => {
  const needsClang = (name: string): boolean => /languages\/c\.md|engines\/(egt|bmc|llsplat)\.md/.test(name);
  for (const page of pages.filter(
    (name) => read(name).includes("```console") && (hasClang || !needsClang(name)),
  ))
    test(
      page,
      async () => {
        await expect(await withRealOutput(read(page))).toMatchFileSnapshot(inRepository(page));
      },
      300_000,
    );
});

test("docs/cli.md lists every command and option that --help lists, and no others", async () => {
  const page = read("docs/cli.md");
  const all = (await cli.run(["options", "--json"])).json<{ command: string; option: string }[]>();
  const commands = [...new Set(all.map(({ command }) => command))];
  expect(commandsOn(page)).toEqual(commands);
  for (const name of commands) {
    const listed = all.filter(({ command }) => command === name).map(({ option }) => option);
    expect(optionsOn(page, name), name).toEqual(listed);
    const { stdout } = await cli.run([name, "--help"]);
    for (const option of listed) expect(stdout).toContain(option);
  }
});

test("docs/cli.md shows the exit codes that --help shows", async () => {
  const { stdout } = await cli.run(["--help"]);
  const codes = [...stdout.matchAll(/^ {2}(\d+) {2,}/gm)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(3);
  const page = read("docs/cli.md");
  for (const code of codes) expect(page).toMatch(new RegExp(`^\\| ${code} `, "m"));
});

/** Pages of sources of diagnostics that are not called after them. */
const pageOf: Readonly<Record<string, string>> = {
  provenance: "mpp",
  net: "mist",
  rpp: "bvas",
  aut: "lts",
  formula: "lts",
  composition: "lts",
};
const frontEnds = readdirSync(inRepository("src/languages")).filter((name) => name !== "toolkit");

test.each(
  [...frontEnds, "provenance", "net", "formula", "composition"].map(
    (source) => [pageOf[source] ?? source, source] as const,
  ),
)("docs/languages/%s.md lists every diagnostic of %s, and no others", (name, source) => {
  const page = `docs/languages/${name}.md`;
  if (!existsSync(inRepository(page)))
    expect.fail(`write ${page}, with a table of the codes \`${source}/…\``);
  expect(codesOn(page, source)).toEqual(codesInSource(source));
});

test("docs/cli.md lists every other diagnostic, and no others", () => {
  for (const source of ["cli", "compile", "session"])
    expect(codesOn("docs/cli.md", source)).toEqual(codesInSource(source));
});

test("docs/techniques/code-generation.md quotes generated code", async () => {
  await cli.run(["check", "examples/models/peterson.pml", "--emit-code", "emitted.js"]);
  const code = readFileSync(join(cli.directory, "emitted.js"), "utf8");
  const excerpt = /```js\n([\s\S]*?)```/.exec(read("docs/techniques/code-generation.md"))![1]!;
  expect(code).toContain(excerpt);
});

describe("links have targets in", () => {
  for (const page of pages)
    test(page, () => {
      const targets = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(
        ([, path]) => path!,
      );
      const missing = targets.filter((target) => !existsSync(inRepository(join(dirname(page), target))));
      expect(missing).toEqual([]);
    });
});

describe("anchors exist for the links of", () => {
  for (const page of pages)
    test(page, () => {
      const links = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)];
      const missing = links.filter(([, path, anchor]) => {
        const target = path ? join(dirname(page), path) : page;
        return target.endsWith(".md") && !anchorsOf(target).has(anchor!);
      });
      expect(missing.map(([link]) => link)).toEqual([]);
    });
});

test("docs/README.md lists every page once", () => {
  const listed = [...read("docs/README.md").matchAll(/^\| \[[^\]]+\]\(([^)]+)\)/gm)].map(
    ([, path]) => `docs/${path}`,
  );
  const isListed = (page: string): boolean =>
    page !== "docs/README.md" && (!page.startsWith("docs/decisions/") || page === "docs/decisions/README.md");
  expect(listed.toSorted()).toEqual(pagesIn("docs").filter(isListed).toSorted());
});

describeWithPeers("docs/languages/spin-flags.md", ["spin"], () => {
  test("has every option that spin lists", () => {
    const usage = spawnSync("spin", ["--"], { encoding: "utf8" }).stdout;
    const flags = [...usage.matchAll(/^\t\s*(-[A-Za-z_]+\d?)/gm)].map(([, flag]) => flag!);
    expect(flags.length).toBeGreaterThan(60);
    const page = read("docs/languages/spin-flags.md");
    const listed = new Set([...page.matchAll(/`(-[A-Za-z_]+\d?)/g)].map(([, flag]) => flag!));
    const isListed = (flag: string): boolean =>
      listed.has(flag) ||
      [...listed].some((other) => flag.startsWith(other) && /^(yyy|xxx|N)$/.test(flag.slice(other.length)));
    expect(flags.filter((flag) => !isListed(flag))).toEqual([]);
  });
});

// ---- pages ---------------------------------------------------------------------------------------

function pagesIn(folder: string): string[] {
  return readdirSync(inRepository(folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .sort();
}

/** Anchors of the page's headings, formed as GitHub does. */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = read(page).replace(/^```[\s\S]*?^```/gm, "");
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\- ]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** Every `## everypath NAME` of the page, in order. */
const commandsOn = (page: string): string[] =>
  [...page.matchAll(/^## `everypath (\w+)/gm)].map(([, command]) => command!);

/** The options in the first column of the tables of a command's section. */
function optionsOn(page: string, command: string): string[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`\`everypath ${command}`))!;
  return [...section.matchAll(/^\| `(-[^`]+)`/gm)].map(([, option]) => option!.replaceAll("\\|", "|"));
}

const codesOn = (page: string, source: string): string[] =>
  [...read(page).matchAll(new RegExp(`^\\| \`(${source}/[a-z-]+)\``, "gm"))].map(([, code]) => code!).sort();

// ---- commands ------------------------------------------------------------------------------------

/** The page with the real output of its commands, if that differs in more than times. */
async function withRealOutput(page: string): Promise<string> {
  const parts = page.split(/(^```console\n[\s\S]*?^```$)/m);
  for (const [index, part] of parts.entries())
    if (part.startsWith("```console\n")) parts[index] = await refreshed(part);
  return parts.join("");
}

async function refreshed(block: string): Promise<string> {
  const lines = block.split("\n").slice(1, -1);
  const starts = lines.flatMap((line, index) => (line.startsWith("$ ") ? [index] : []));
  const output: string[] = [];
  let exitCode: number | null = 0;
  for (const [i, start] of starts.entries()) {
    const shown = lines.slice(start + 1, starts[i + 1] ?? lines.length);
    const command = lines[start]!.slice(2);
    if (command === "echo $?") {
      output.push(lines[start]!, `${exitCode}`);
      continue;
    }
    const result = await cli.run(withoutProgress(argumentsOf(command)));
    exitCode = result.exitCode;
    const printed = `${result.stderr}${result.stdout}`.replaceAll(` ${NO_PROGRESS.join(" ")}`, "");
    output.push(lines[start]!, ...merge(shown, printed.trimEnd().split("\n")));
  }
  return ["```console", ...output, "```"].join("\n");
}

/** The printed lines, with the same lines omitted as in the page, and the times of the page. */
function merge(shown: readonly string[], printed: readonly string[]): readonly string[] {
  const gap = shown.indexOf("…");
  const kept =
    gap < 0
      ? printed
      : [...printed.slice(0, gap), "…", ...printed.slice(printed.length - (shown.length - gap - 1))];
  return timeless(kept) === timeless(shown) ? shown : kept;
}

const timeless = (lines: readonly string[]): string =>
  lines
    .join("\n")
    .replace(/(?:\d+ min )?[\d.]+ s searching(?: \([^)]*\))?, (?:\d+ min )?[\d.]+ s total/g, "TIMES")
    .replace(/(?:\d+ min )?[\d.]+ s of processor time \([^)]*\)/g, "TIMES");

/** `everypath check 'a b'` or `npx everypath check …`, as a shell would split it. */
function argumentsOf(command: string): string[] {
  const words = [...command.matchAll(/'[^']*'|\S+/g)].map(([word]) => word.replace(/^'(.*)'$/, "$1"));
  const program = words.indexOf("everypath");
  if (program < 0 || program > 1) throw new Error(`not a command of everypath: ${command}`);
  return words.slice(program + 1);
}

/** The number of progress lines depends on the machine. */
const NO_PROGRESS = ["--progress", "none"];

const withoutProgress = (words: readonly string[]): string[] =>
  words[0] === "check" && !words.includes("--progress") ? [...words, ...NO_PROGRESS] : [...words];

// ---- diagnostics in the source -------------------------------------------------------------------

/** Every code `SOURCE/NAME` in the sources: a string, or the first argument of `error` or `warn`. */
function codesInSource(source: string): string[] {
  const whole = new RegExp(`^${source}/[a-z-]+$`);
  const codes = parsedSources().flatMap((file) => {
    const isOwn = file.fileName.split("/").includes(source);
    return stringsIn(file).flatMap((node) => {
      if (whole.test(node.text)) return [node.text];
      return isOwn && isCodeArgument(node) ? [`${source}/${node.text}`] : [];
    });
  });
  return [...new Set(codes)].sort();
}

let parsed: readonly ts.SourceFile[] | undefined;

const parsedSources = (): readonly ts.SourceFile[] =>
  (parsed ??= readdirSync(inRepository("src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) =>
      ts.createSourceFile(name.replaceAll("\\", "/"), read(`src/${name}`), ts.ScriptTarget.Latest, true),
    ));

function stringsIn(node: ts.Node): ts.StringLiteralLike[] {
  const found: ts.StringLiteralLike[] = ts.isStringLiteralLike(node) ? [node] : [];
  ts.forEachChild(node, (child) => void found.push(...stringsIn(child)));
  return found;
}

function isCodeArgument(node: ts.StringLiteralLike): boolean {
  const call = node.parent;
  if (!ts.isCallExpression(call) || call.arguments[0] !== node) return false;
  return /(^|\.)#?(error|warn)$/.test(call.expression.getText()) && /^[a-z]+(-[a-z]+)*$/.test(node.text);
}

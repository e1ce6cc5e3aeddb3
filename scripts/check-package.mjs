/**
 * Tests the package as users get it: packs it, installs the tarball in an empty project and runs it there.
 *
 *     node scripts/check-package.mjs [--node 22]… [--only PART] [--keep]
 *
 * Runs every example of every door with the Node that runs this script, and one example of each door with the versions that
 * `--node` names (`latest`: the newest). Their programs come from npm's packages `node-PLATFORM-ARCHITECTURE`. Needs a registry.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { broken } from "./package-broken.mjs";
import { typedUses } from "./package-typed.mjs";

const { values: flags } = parseArgs({
  options: {
    node: { type: "string", multiple: true, default: [] },
    only: { type: "string" },
    keep: { type: "boolean", default: false },
  },
});
const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const scratch = mkdtempSync(join(tmpdir(), "everypath-package-"));
const project = join(scratch, "project");
const cli = join(project, "node_modules/everypath/dist/cli/index.js");
const failures = [];
/** Examples in C need clang 15 or later; without it they are skipped. */
const hasClang = [...Array.from({ length: 16 }, (_, n) => `clang-${30 - n}`), "clang"].some((name) => {
  const { stdout = "" } = spawnSync(name, ["--version"], { encoding: "utf8" });
  return Number(/clang version (\d+)/.exec(stdout ?? "")?.[1] ?? 0) >= 15;
});
if (!hasClang) console.log("SKIPPED: the examples in C need clang 15 or later, not installed here");
let passed = 0;

async function main() {
  try {
    const tarball = await timed("pack", pack);
    await timed("install", () => install(tarball));
    checkContents();
    await timed("declarations", checkDeclarations);
    const programs = [process.execPath];
    for (const version of flags.node)
      programs.push(await timed(`fetch Node ${version}`, () => nodeProgram(version)));
    for (const [index, program] of programs.entries()) {
      const version = (await execute(program, ["--version"])).stdout.trim();
      const isWhole = index === 0;
      const parts = isWhole ? wholeParts() : sampleParts();
      console.log(`Node ${version}: ${isWhole ? "every example" : "one example of each door (a sample)"}`);
      for (const [name, cases] of parts) {
        if (flags.only !== undefined && flags.only !== name) continue;
        await timed(`Node ${version}: ${name}, ${cases.length} runs`, () => runAll(cases, program, version));
      }
    }
  } finally {
    if (flags.keep) console.log(`kept: ${scratch}`);
    else rmSync(scratch, { recursive: true, force: true });
  }
  console.log(`${passed} runs as expected, ${failures.length} not`);
  for (const failure of failures) console.log(`\nFAILED ${failure}`);
  // A command that failed to run must not count as a success.
  process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0;
}

async function timed(what, work) {
  const started = performance.now();
  const result = await work();
  console.log(`  ${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${what}`);
  return result;
}

async function pack() {
  if (!existsSync(join(root, "dist"))) throw new Error("build first: npm run build");
  const { stdout } = await npm(["pack", "--ignore-scripts", "--pack-destination", scratch], root);
  return join(scratch, stdout.trim().split("\n").at(-1));
}

async function install(tarball) {
  mkdirSync(project);
  writeManifest(project);
  const { version } = JSON.parse(readFileSync(join(root, "node_modules/vitest/package.json"), "utf8"));
  // The package comes first and alone: its imports must be among its dependencies.
  await npm(["i", ...QUIET, tarball], project);
  await npm(["i", "-D", ...QUIET, `vitest@${version}`, "jest@30", "tsx@4", "xstate@5"], project);
  cpSync(join(project, "node_modules/everypath/examples"), join(project, "examples"), { recursive: true });
}

const QUIET = ["--no-fund", "--no-audit", "--prefer-offline", "--ignore-scripts"];

const writeManifest = (folder) =>
  writeFileSync(join(folder, "package.json"), '{ "name": "scratch", "private": true, "type": "module" }\n');

function checkContents() {
  const has = (file) => existsSync(join(project, "node_modules/everypath", file));
  for (const file of ["LICENSE", "README.md", "dist/THIRD-PARTY-LICENSES.txt"])
    if (has(file)) passed++;
    else failures.push(`the package has no ${file}`);
  const readme = readFileSync(join(project, "node_modules/everypath/README.md"), "utf8");
  for (const [, file] of readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g))
    if (has(file)) passed++;
    else failures.push(`README.md links to ${file}, which the package lacks`);
}

/** A project that uses every entry compiles, with the declarations checked as well, in both ways of finding them. */
async function checkDeclarations() {
  const folder = join(project, "typed");
  mkdirSync(folder);
  writeManifest(folder);
  writeFileSync(join(folder, "uses.ts"), typedUses);
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  for (const resolution of ["NodeNext", "Bundler"]) {
    const compilerOptions = {
      module: resolution === "Bundler" ? "ESNext" : resolution,
      moduleResolution: resolution,
      ...{ target: "ES2023", types: [], strict: true, skipLibCheck: false, noEmit: true },
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["uses.ts"] }));
    const result = await execute(process.execPath, [compiler, "-p", folder]);
    if (result.code === 0) passed++;
    else failures.push(`declarations with resolution ${resolution}\n${describe(result)}`);
  }
}

/** The program of a version, from npm: the packages with programs need no script to install. */
async function nodeProgram(version) {
  const folder = join(scratch, `node-${version}`);
  mkdirSync(folder);
  writeManifest(folder);
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const wanted = version === "latest" ? await newest(name) : version;
  await npm(["i", ...QUIET, `${name}@${wanted}`], folder);
  return join(folder, "node_modules", name, "bin/node");
}

/** The tag `latest` may point to an older line. */
async function newest(name) {
  const { stdout } = await npm(["view", name, "versions", "--json"], scratch);
  const key = (version) =>
    version
      .split(".")
      .map((part) => part.padStart(4, "0"))
      .join(".");
  const released = JSON.parse(stdout).filter((version) => /^\d+\.\d+\.\d+$/.test(version));
  return released.sort((a, b) => (key(a) < key(b) ? -1 : 1)).at(-1);
}

function wholeParts() {
  const checks = exampleFiles().flatMap(expectationsOf);
  const door = (name) => checks.filter((each) => each.file.startsWith(`examples/${name}/`));
  const doors = readdirSync(join(project, "examples"), { withFileTypes: true })
    // Traces are replayed by a command, below.
    .filter((entry) => entry.isDirectory() && entry.name !== "traces")
    .map(({ name }) => [name, door(name)]);
  return [
    ...doors,
    ...otherParts(readdirSync(join(project, "examples/code")).filter((name) => name.endsWith(".test.ts"))),
  ];
}

/** The first example of each kind of file in each door, the broken inputs, the frameworks, the commands. */
function sampleParts() {
  const kinds = new Map();
  for (const each of exampleFiles().flatMap(expectationsOf)) {
    const kind = `${each.file.split("/")[1]} ${each.file.replace(/^.*\./, "")}`;
    if (!kinds.has(kind) && !/tcp|aodv/.test(each.file)) kinds.set(kind, each);
  }
  return [["examples", [...kinds.values()]], ...otherParts(["stock.test.ts"])];
}

function otherParts(tests) {
  return [
    [
      "tests of async code",
      [
        ...tests.flatMap((name) => [vitestCase(name), checkedCase(name)]),
        ...["vitest", "jest", "node-test"].map(frameworkCase),
      ],
    ],
    ["broken inputs", Object.entries(broken).map(brokenCase)],
    ["commands", [...commandCases(), exploreCase(), programCase()]],
  ];
}

/** Every file that says what to expect of `check`; of an extension, its manifest. */
function exampleFiles() {
  const all = readdirSync(join(project, "examples"), { recursive: true, withFileTypes: true });
  const files = all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files
    .map((file) => relative(project, file))
    .filter((file) => !/\.(md|json|html|test\.ts)$|ssh\.ts$/.test(file))
    .filter((file) => hasClang || !file.endsWith(".c"))
    .sort();
}

function expectationsOf(file) {
  const text = readFileSync(join(project, file), "utf8");
  const lines = [...text.matchAll(/^[\s/*<!#-]*expected(?: with (.*))?: (.*?)\s*(?:\*\/|-->)?$/gm)];
  // Parts of a system of nodes, of an extension or of a product, and specifications state nothing.
  const isPart = /^examples\/(code|components|extensions|lts)\/|\.ndspec$/.test(file);
  const mustSay = !isPart || /\/systems\/|\/system\.ts$/.test(file);
  if (lines.length === 0 && mustSay) failures.push(`${file} does not say what to expect`);
  if (file.startsWith("examples/broken/"))
    return [{ file, run: (context) => runBroken(file, lines.length, context) }];
  const target = file.startsWith("examples/extensions/") ? join(dirname(file), "manifest.json") : file;
  return lines.map(([, condition = "", outcome]) => ({
    file,
    run: (context) => runExample(target, condition, outcome, context),
  }));
}

async function runExample(file, condition, outcome, { program }) {
  const options = [...condition.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word);
  const result = await execute(program, [cli, "check", file, ...options, "--json"]);
  const [, verdict, what] = /^(\w+)(?: \(([^)]*)\))?/.exec(outcome);
  const name = ["check", file, ...options].join(" ");
  const code = { holds: 0, violated: 1, unknown: 2 }[verdict];
  if (result.code !== code) return `${name}: expected exit code ${code} (${outcome})\n${describe(result)}`;
  const json = JSON.parse(result.stdout);
  if (json.verdict !== verdict) return `${name}: expected ${outcome}, got ${json.verdict}`;
  const violated = json.properties.filter((property) => property.verdict === "violated");
  const words = violated.flatMap((property) => [property.name, property.kind, property.fault]);
  const isShown = what === undefined || words.includes(what);
  return isShown ? undefined : `${name}: expected ${outcome}, but violated is ${JSON.stringify(words)}`;
}

async function runBroken(file, count, { program }) {
  const result = await execute(program, [cli, "check", file, "--json"]);
  if (result.code !== 3) return `check ${file}: expected exit code 3\n${describe(result)}`;
  const found = JSON.parse(result.stdout).diagnostics.length;
  return found === count ? undefined : `check ${file}: expected ${count} diagnostics, got ${found}`;
}

const brokenCase = ([name, text]) => ({
  run: async ({ program, version }) => {
    const folder = join(project, `broken-${version}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text);
    const result = await execute(program, [cli, "check", join(folder, name)]);
    return result.code === 3 && result.stderr.includes(name)
      ? undefined
      : `check ${name} (broken): expected exit code 3\n${describe(result)}`;
  },
});

/** Tests that are expected to find something fail; the others pass. */
const vitestCase = (name) => ({
  run: async ({ program }) => {
    const file = `examples/code/${name}`;
    const lines = [...readFileSync(join(project, file), "utf8").matchAll(/^\/\/ expected "(.*)": (\w+)/gm)];
    if (lines.length === 0) return `${file} does not say what to expect`;
    const result = await execute(program, ["node_modules/vitest/vitest.mjs", "run", file, "--reporter=json"]);
    const tests = new Map(
      JSON.parse(result.stdout)
        .testResults.flatMap((each) => each.assertionResults)
        .map((each) => [each.title, each]),
    );
    for (const [, title, verdict] of lines) {
      const test = tests.get(title);
      const wanted = verdict === "holds" ? "passed" : "failed";
      if (test?.status !== wanted) return `${file}: "${title}" should have ${wanted}\n${describe(result)}`;
      if (wanted === "failed" && !test.failureMessages[0].includes("replay("))
        return `${file}: "${title}" failed otherwise: ${test.failureMessages[0]}`;
    }
    return undefined;
  },
});

/** The command gives each test the verdict of the framework, without the framework. */
const checkedCase = (name) => ({
  run: async ({ program }) => {
    const file = `examples/code/${name}`;
    const lines = [...readFileSync(join(project, file), "utf8").matchAll(/^\/\/ expected "(.*)": (\w+)/gm)];
    const result = await execute(program, [cli, "check", file, "--json"]);
    if (result.code > 2) return `check ${file}\n${describe(result)}`;
    const { properties } = JSON.parse(result.stdout);
    for (const [, title, verdict] of lines) {
      const found = properties.filter((each) => ` > ${each.name}`.endsWith(` > ${title}`));
      if (found.length !== 1 || found[0].verdict !== verdict)
        return `check ${file}: "${title}" should be ${verdict}\n${describe(result)}`;
    }
    return undefined;
  },
});

/** The test that `init` writes finds its race in each framework, and by the command. */
const frameworkCase = (framework) => ({
  run: async ({ program, version }) => {
    const folder = join(project, `${framework}-${version}`);
    mkdirSync(folder, { recursive: true });
    writeManifest(folder);
    const made = await execute(program, [cli, "init", "--framework", framework], { cwd: folder });
    if (made.code !== 0) return `init --framework ${framework}\n${describe(made)}`;
    const file = "everypath.test.mjs";
    const modules = join(project, "node_modules");
    const [args, env] = {
      vitest: [[join(modules, "vitest/vitest.mjs"), "run", file], {}],
      jest: [
        [
          "--experimental-vm-modules",
          join(modules, "jest/bin/jest.js"),
          "--rootDir",
          ".",
          "--testMatch",
          "**/*.mjs",
        ],
        {},
      ],
      "node-test": [["--test", file], {}],
    }[framework];
    const result = await execute(program, args, { cwd: folder, env });
    const text = result.stdout + result.stderr;
    const isFound = result.code === 1 && text.includes("replay('");
    if (!isFound) return `${framework}: the race of the first test was not found\n${describe(result)}`;
    const checked = await execute(program, [cli, "check", file, "--trace", "race.json"], { cwd: folder });
    const again = await execute(program, [cli, "replay", "race.json"], { cwd: folder });
    const isShown = checked.code === 1 && again.code === 1 && again.stdout.includes("reproduced");
    return isShown
      ? undefined
      : `${framework}: check and replay do not show the race\n${describe(checked)}\n${describe(again)}`;
  },
});

function commandCases() {
  const command = (args, code, wanted) => ({
    run: async ({ program }) => {
      const result = await execute(program, [cli, ...args]);
      const isRight = result.code === code && (result.stdout + result.stderr).includes(wanted);
      return isRight
        ? undefined
        : `${args.join(" ")}: expected exit code ${code} and '${wanted}'\n${describe(result)}`;
    },
  });
  const helps = [
    "check",
    "simulate",
    "replay",
    "explore",
    "automaton",
    "certify",
    "init",
    "learn",
    "test",
    "report",
    "languages",
    "engines",
    "options",
  ];
  return [
    command(["--help"], 0, "Commands:"),
    command(["--version"], 0, JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version),
    ...helps.map((name) => command([name, "--help"], 0, `Usage: everypath ${name}`)),
    command(["languages"], 0, "promela"),
    command(["engines"], 0, "explicit"),
    command(["options"], 0, "--store"),
    command(["automaton", "[](p -> <>q)"], 0, ""),
    command(
      ["replay", "examples/traces/booked-twice.itf.json", "examples/models/retried-payment.pml", "--quiet"],
      1,
      "10 steps",
    ),
    command(["simulate", "examples/models/peterson.pml", "--seed", "1", "--steps", "20"], 0, "--seed 1"),
    command(
      ["simulate", "examples/code/systems/token-ring.ts", "--seed", "1", "--steps", "20"],
      0,
      "--seed 1",
    ),
    command(["check", "examples/models/philosophers.pml", "--workers", "2"], 1, "violated"),
    command(["check", "examples/code/systems/token-ring.ts", "--coverage"], 0, "Coverage"),
    command(["check", "absent.pml"], 3, "absent.pml"),
    command(["check", "examples/models/peterson.pml", "--nonsense"], 3, "--nonsense"),
  ];
}

/** The server answers with its page and its scripts, and ends at a signal. */
const exploreCase = () => ({
  run: async ({ program }) => {
    const child = spawn(program, [cli, "explore", "examples/models/peterson.pml", "--no-open"], {
      cwd: project,
    });
    let text = "";
    const address = new Promise((resolve) => {
      child.stdout.on("data", (data) => {
        text += data;
        const [found] = /http:\S+/.exec(text) ?? [];
        if (found) resolve(found);
      });
      child.on("close", () => resolve(undefined));
    });
    const ended = new Promise((resolve) => child.on("close", resolve));
    const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
    const url = await address;
    const page = url && (await fetch(url));
    const html = page ? await page.text() : "";
    const script = /src="\.?\/?([^"]*\.js)"/.exec(html)?.[1];
    const cookie = page?.headers
      .getSetCookie()
      .map((each) => each.split(";")[0])
      .join("; ");
    const served = script && (await fetch(new URL(script, page.url), { headers: { cookie } }));
    child.kill("SIGINT");
    const code = await ended;
    clearTimeout(timer);
    if (page?.status !== 200 || served?.status !== 200)
      return `explore: ${page?.status} for the page, ${served?.status} for ${script}\n${text}`;
    return code === 0 ? undefined : `explore: exit code ${code} after SIGINT`;
  },
});

/** A network described in TypeScript is a program that imports the package. */
const programCase = () => ({
  run: async ({ program }) => {
    const result = await execute(program, ["--import", "tsx", "examples/networks/ssh.ts"]);
    const isRight = /without barrier: violated[\s\S]*with barrier: holds/.test(result.stdout);
    return isRight ? undefined : `examples/networks/ssh.ts\n${describe(result)}`;
  },
});

async function runAll(cases, program, version) {
  if (cases.length === 0) failures.push("a part without runs");
  const queue = [...cases];
  const worker = async () => {
    for (let each = queue.shift(); each; each = queue.shift()) {
      const problem = await each.run({ program, version }).catch((error) => String(error?.stack ?? error));
      if (problem === undefined) passed++;
      else failures.push(`Node ${version}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, worker));
}

/** A run that takes minutes hangs. */
const LIMIT_MS = 240_000;

function execute(command, args, { cwd = project, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    // A program of the version under test comes first for all its child processes.
    const path = `${dirname(command)}:${process.env.PATH}`;
    const child = spawn(command, args, {
      cwd,
      env: {
        ...process.env,
        PATH: path,
        NO_COLOR: "1",
        CI: "",
        VITEST: "",
        NODE_OPTIONS: "",
        NODE_TEST_CONTEXT: undefined,
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const result = { stdout: "", stderr: "", code: undefined, signal: undefined };
    child.stdout.setEncoding("utf8").on("data", (text) => (result.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (result.stderr += text));
    const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ ...result, code, signal });
    });
  });
}

const describe = ({ code, signal, stdout, stderr }) =>
  [`exit code ${code}${signal ? ` (${signal})` : ""}`, stdout.slice(-1500), stderr.slice(-1500)].join("\n");

async function npm(args, cwd) {
  const result = await execute("npm", args, { cwd });
  if (result.code !== 0) throw new Error(`npm ${args.join(" ")}\n${describe(result)}`);
  return result;
}

await main();

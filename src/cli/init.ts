/** `everypath init`: a first test of async code, for the framework that the project in this folder has; or a first system of nodes. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Option, type Command } from "commander";
import { Exit } from "./exit.js";
import type { Terminal } from "./terminal.js";
import { usageError } from "./usage.js";

const frameworks = ["vitest", "jest", "node-test"] as const;
type Framework = (typeof frameworks)[number];

export interface InitFlags {
  readonly framework?: Framework;
  readonly system?: true;
}

export const addInitOptions = (command: Command): Command =>
  command
    .addOption(
      new Option("--framework <name>", "the test framework; by default the one in package.json").choices(
        frameworks,
      ),
    )
    .option("--system", "a system of nodes instead of a test");

export function runInit(flags: InitFlags, { stdout }: Terminal, argv: readonly string[]): number {
  const folder = process.cwd();
  const manifest = readManifest(join(folder, "package.json"));
  if (!manifest)
    throw usageError(
      argv,
      "no-project",
      "there is no package.json in this folder",
      undefined,
      "npm init makes one",
    );
  if (flags.system && flags.framework)
    throw usageError(
      argv,
      "no-framework",
      "a system of nodes needs no test framework",
      "--framework",
      "omit it",
    );
  const { name, text, says } = flags.system ? systemFile : testFile(flags, manifest, folder);
  if (existsSync(join(folder, name)))
    throw usageError(
      argv,
      "file-exists",
      `${name} is there already`,
      undefined,
      "remove it, or keep it unchanged",
    );
  writeFileSync(join(folder, name), text);
  stdout.write(says);
  return Exit.holds;
}

interface NewFile {
  readonly name: string;
  readonly text: string;
  readonly says: string;
}

function testFile(flags: InitFlags, manifest: Manifest, folder: string): NewFile {
  const framework = flags.framework ?? detect(manifest);
  const isTyped = "typescript" in packagesOf(manifest) || existsSync(join(folder, "tsconfig.json"));
  const name = `everypath.test.${isTyped ? "ts" : "mjs"}`;
  return {
    name,
    text: isTyped ? example(framework) : example(framework).replace("(left: number)", "(left)"),
    says: `${name} contains a test for ${framework} with a race. Run it:\n\n  ${command(framework, name)}\n`,
  };
}

const systemFile: NewFile = {
  name: "everypath.system.ts",
  text: `import { defineSystem, type Environment } from "everypath/system";

// A client repeats an order until it is confirmed; the shop counts orders. Run the check to see an order counted twice.
class Shop {
  orders = 0;
  constructor(private readonly env: Environment) {}
  onMessage(from: string) {
    this.orders++;
    this.env.send(from, "confirmed");
  }
}

class Client {
  confirmed = false;
  constructor(private readonly env: Environment) {}
  onStart() {
    this.env.send("shop", "order");
    this.env.setTimer("again");
  }
  onTimer() {
    if (!this.confirmed) this.env.send("shop", "order");
  }
  onMessage() {
    this.confirmed = true;
  }
}

export default defineSystem<Shop | Client>({
  nodes: { shop: (env) => new Shop(env), client: (env) => new Client(env) },
  network: { loss: true },
  always: { "an order is counted once": ({ nodes }) => (nodes["shop"] as Shop).orders <= 1 },
});
`,
  says: "everypath.system.ts contains two nodes with a protocol error. Check it:\n\n  npx everypath check everypath.system.ts\n",
};

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function readManifest(file: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Manifest;
  } catch {
    return undefined;
  }
}

const packagesOf = ({ dependencies, devDependencies }: Manifest): Readonly<Record<string, string>> => ({
  ...dependencies,
  ...devDependencies,
});

function detect(manifest: Manifest): Framework {
  const packages = packagesOf(manifest);
  return frameworks.find((name) => name in packages) ?? "node-test";
}

function command(framework: Framework, name: string): string {
  switch (framework) {
    case "vitest":
      return `npx vitest run ${name}`;
    case "jest":
      return `NODE_OPTIONS=--experimental-vm-modules npx jest ${name}`;
    case "node-test":
      return name.endsWith(".ts") ? `npx tsx --test ${name}` : `node --test ${name}`;
  }
}

function example(framework: Framework): string {
  const [imports, assertion] = {
    vitest: ['import { expect } from "vitest";', "expect(sold.filter(Boolean)).toHaveLength(1);"],
    jest: ['import { expect } from "@jest/globals";', "expect(sold.filter(Boolean)).toHaveLength(1);"],
    "node-test": [
      'import assert from "node:assert/strict";',
      "assert.equal(sold.filter(Boolean).length, 1);",
    ],
  }[framework];
  return `${imports}
import { everySchedule } from "everypath/${framework}";

// Two customers want the last item. In some order of the answers both get it: run this test to see which.
everySchedule("the last item is sold once", async (world) => {
  let stock = 1;
  const read = world.service("read", () => stock);
  const write = world.service("write", (left: number) => void (stock = left));
  const buy = async () => (await read()) > 0 && (await write(stock - 1), true);
  const sold = await Promise.all([buy(), buy()]);
  ${assertion}
});
`;
}

/** Checks small systems, written to a temporary folder. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bundleSystem, makeModel, type SystemModel } from "../../../src/code/system/index.js";
import { Sources } from "../../../src/model/index.js";
import type { CheckReport, PropertyReport } from "../../../src/report/index.js";
import { checkInput } from "../../../src/session/check/check.js";
import { registry } from "../../../src/session/registry.js";
import type { CheckOptions } from "../../../src/session/request.js";

/** `text` follows the imports. */
export const checkText = (text: string, options: CheckOptions = {}): Promise<CheckReport> =>
  inFile(text, async (file, whole) => (await checkInput({ file, text: whole }, options, registry)).report);

/** The model without a session. */
export const modelOf = (text: string): Promise<SystemModel> =>
  inFile(text, async (file) => {
    const source = await bundleSystem(file, dirname(file), {});
    if (!("code" in source)) throw new Error(source[0]!.message);
    return makeModel(source, { replayed: new Set(), sources: new Sources(), timeoutMs: 5000 });
  });

async function inFile<T>(text: string, use: (file: string, whole: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "everypath-system-"));
  try {
    const file = join(folder, "system.ts");
    const whole = `import { defineSystem, type Environment } from "everypath/system";\n${text}`;
    writeFileSync(file, whole);
    return await use(file, whole);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function propertyOf({ properties }: CheckReport, name: string): PropertyReport {
  const found = properties.find(({ property }) => property.name === name);
  if (!found) throw new Error(`there is no property '${name}'`);
  return found;
}

/** `handlers` by node; `e` is the environment, `n` the node. */
export const systemOf = (
  handlers: Record<string, { start?: string; timer?: string; message?: string }>,
  more = "",
): string => `
const code: any = { ${Object.entries(handlers)
  .map(
    ([name, { start = "", timer = "", message = "" }]) =>
      `${name}: { start(n: any, e: Environment) { ${start} }, timer(n: any, e: Environment) { ${timer} }, message(n: any, e: Environment, m: any) { ${message} } }`,
  )
  .join(",\n")} };
class Node {
  x = 0; y = 0;
  #own = 1;
  constructor(readonly e: Environment) {}
  get isA() { return this.#own === 1 && this.e.name === "a"; }
  onStart() { code[this.e.name].start(this, this.e); }
  onTimer() { code[this.e.name].timer(this, this.e); }
  onMessage(from: string, m: any) { code[this.e.name].message(this, this.e, m); }
}
export default defineSystem<any>({
  nodes: { ${Object.keys(handlers)
    .map((name) => `${name}: (e) => new Node(e)`)
    .join(", ")} },
  ${more}
});`;

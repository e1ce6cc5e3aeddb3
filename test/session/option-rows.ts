/** Shared by the tables of options: a small input of every language, and the codes of refusals. */
import { expect } from "vitest";
import { hasClang } from "../peers.js";
import { inRepository } from "../repository.js";

export const here = (name: string): string => inRepository(`test/fixtures/options/${name}`);

/** A small input of each language, without temporal properties, whose search has a fixed order; `args` apply to every cell. */
export const rows: Readonly<Record<string, { readonly file: string; readonly args?: readonly string[] }>> = {
  promela: { file: here("counter.pml") },
  murphi: { file: here("elements.m") },
  // Without reductions there are infinitely many states.
  sdn: { file: here("one-switch.sdn"), args: ["--max-states", "2000"] },
  mpp: { file: inRepository("examples/messages/medical.mpp") },
  webextension: { file: inRepository("examples/extensions/1-price-history/manifest.json") },
  mist: { file: inRepository("examples/nets/lock.spec") },
  pnml: { file: inRepository("examples/nets/buffer.pnml"), args: ["--target", "item >= 1"] },
  bvas: { file: inRepository("examples/nets/pairing.bvas") },
  gcl: { file: inRepository("examples/guarded/ticket.gcl") },
  ndlog: { file: inRepository("examples/declarative/routes.ndlog") },
  bp: { file: here("driver.bp") },
  c: { file: inRepository("examples/c/midpoint.c") },
  rpp: { file: inRepository("examples/nets/web-twice.rpp") },
  fsp: { file: inRepository("test/fixtures/grid/lock.fsp") },
  chi: { file: here("relay.chi") },
  // Without a plan, no question needs the engine for formulas.
  fractal: { file: inRepository("examples/components/Logger.fractal"), args: ["-D", "control=free"] },
  compose: { file: inRepository("examples/compose/mended/compose.yaml") },
  lts: { file: inRepository("examples/lts/as-built.vectors") },
  typescript: { file: here("pair.ts") },
  machines: { file: inRepository("test/fixtures/grid/machines/counting.ts") },
  schedules: { file: here("pair.test-file.ts") },
};

/** Languages of the tables that this machine can check. */
export const runnable: readonly string[] = Object.keys(rows).filter((name) => name !== "c" || hasClang);

/** Explains a cell of `table` that has the other answer. */
export const unexpected = (
  row: string,
  args: readonly string[],
  answer: "takes" | "refuses",
  table: string,
): string =>
  answer === "takes"
    ? `'${row}' takes ${args.join(" ")}: list it at this case in ${table}, or refuse the option in src/session/declarations.ts`
    : `'${row}' refuses ${args.join(" ")}: accept the option in src/session/declarations.ts, or remove it from this case in ${table}`;

/** Codes of refusals; any other code with exit code 3 is an error in the model or in a value. */
export const REFUSED =
  /option-not-taken|not-together|no-single-runs|one-chooser|needs-runs|code\/bad-declaration|no-code|bad-value|unknown-property|unknown-language|wrong-engine|gcl\/|ndlog\/|bp\/bad-|unknown-define|unknown-constant|bad-define|disk-|syntax|unknown-name|undeclared|bad-target|cannot-replay|no-specification|nothing-observed|c\/no-clang|net\/condition|net\/deadlock|sdn\/deadlock|messages\/condition|messages\/deadlock|formula\/|composition\//;

/** Expects a refusal, and no other error. */
export const expectRefusal = (text: string): void =>
  expect(
    REFUSED.test(text),
    `a refusal has one of the codes in REFUSED (test/session/option-rows.ts), unlike\n${text}`,
  ).toBe(true);

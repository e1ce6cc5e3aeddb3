/** Shared by the tables of options: a small input of every language, and the codes of refusals. */
import { inRepository } from "../repository.js";

export const here = (name: string): string => inRepository(`test/fixtures/options/${name}`);

/** A small input of each language; `args` apply to every cell. */
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
  rpp: { file: inRepository("examples/nets/web-twice.rpp") },
  lts: { file: inRepository("examples/lts/as-built.vectors") },
  typescript: { file: here("pair.ts") },
  schedules: { file: here("pair.test-file.ts") },
};
/** Codes of refusals; any other code with exit code 3 is an error in the model or in a value. */
export const REFUSED =
  /option-not-taken|not-together|no-single-runs|one-chooser|no-code|bad-value|unknown-property|unknown-language|wrong-engine|gcl\/|unknown-define|unknown-constant|bad-define|disk-|syntax|unknown-name|undeclared|bad-target|cannot-replay|net\/condition|net\/deadlock|sdn\/deadlock|messages\/condition|messages\/deadlock/;

/**
 * A network as a Murphi model: the default pipeline, written independently, so that its counts can be compared.
 *
 * `met.ts` finds the combinations that the text must name, `steps.ts` writes the rules of switches, controller and
 * environment, `effects.ts` the forwarding of packets, `names.ts` the variables. Queues, pending messages and tables are one
 * boolean for each packet or rule: the counter abstraction only distinguishes present from absent.
 *
 * Always true: a combination that our own search did not find is an error in the text, never omitted.
 */
import type { Network } from "../../../model/network.js";
import type { NetworkConfig } from "../config.js";
import { meetings } from "./met.js";
import { Names } from "./names.js";
import { invariantsOf, whyNotWritten } from "./properties.js";
import { Steps } from "./steps.js";

/** The text, or the reason why there is none. */
export type MurphiText = string | { readonly why: string };

/** `pipeline` is the default pipeline; the caller has checked that all properties allow it. */
export function murphiOf(network: Network, pipeline: NetworkConfig): MurphiText {
  const whyNot = whyNotWritten(network);
  if (whyNot !== undefined) return { why: whyNot };
  const met = meetings(network, pipeline, MOST_STATES);
  if (!met) return { why: `it has more than ${MOST_STATES} states` };
  const names = new Names(network, met);
  const steps = new Steps(network, met, names);
  const rules = steps.rules();
  if (steps.whyNot !== undefined) return { why: steps.whyNot };
  return [
    `-- The network ${network.name}, with all reductions that are sound for its properties.`,
    "-- There are no deadlocks in it: clients can always send (everypath --deadlock off, rumur --deadlock-detection off).",
    "var",
    ...names.declarations(),
    'startstate "start"',
    ...names.initial().map((line) => `  ${line}`),
    "end;",
    ...rules,
    ...invariantsOf(network, met, names),
    "",
  ].join("\n");
}

const MOST_STATES = 200_000;

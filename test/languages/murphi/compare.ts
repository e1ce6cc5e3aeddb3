/** Compares all implementations on one model. */
import { optionsOf, outcomeOf } from "./fixtures.js";
import { runObviously } from "./obvious.js";
import { runRumur } from "./rumur.js";

export interface Comparison {
  /** Our outcome. */
  readonly ours: string;
  readonly differences: readonly string[];
  /** Rumur's reason for refusing the model. */
  readonly refused: string | undefined;
}

export interface Peers {
  readonly rumur: boolean;
  readonly obvious: boolean;
}

/** The first of several errors depends on the search order: for violated models only the verdict is compared. */
export async function compare(name: string, text: string, given: string, peers: Peers): Promise<Comparison> {
  const ours = await outcomeOf(name, text, optionsOf(given));
  const differences: string[] = [];
  const verdictOf = (outcome: string): string => (outcome.startsWith("violated") ? "violated" : outcome);
  const note = (who: string, theirs: string): void => {
    if (verdictOf(theirs) !== verdictOf(ours)) differences.push(`${who}: ${theirs}; we: ${ours}`);
  };
  if (peers.obvious) {
    const { verdict, states, rules } = runObviously(text, {
      deadlock: optionsOf(given).deadlock ?? "stuttering",
    });
    note(
      "obvious",
      verdict === "holds" ? `holds, ${states} states, ${rules} rules` : `violated (${verdict})`,
    );
  }
  if (!peers.rumur) return { ours, differences, refused: undefined };
  const theirs = runRumur(text, rumurOptions(given));
  if (theirs.kind === "refused") return { ours, differences, refused: theirs.why };
  note(
    "rumur",
    theirs.errors > 0
      ? `violated (${theirs.message})`
      : `holds, ${theirs.states} states, ${theirs.rules} rules`,
  );
  return { ours, differences, refused: undefined };
}

/** Rumur has an equivalent only of `--deadlock`. */
const rumurOptions = (given: string): string[] => {
  const mode = /--deadlock (\w+)/.exec(given)?.[1];
  return mode === undefined ? [] : ["--deadlock-detection", mode];
};

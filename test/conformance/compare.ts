/**
 * Compares a search by Spin with one by Everypath: kinds of error, states, transitions.
 *
 * If pan's figures do not describe the whole graph, counts are omitted with a reason: the model is `excluded`, or
 * compared by errors alone.
 */
import type { EverypathOutcome, EverypathReport } from "../peers/everypath.js";
import type { PanReport } from "../peers/pan-output.js";
import type { SpinOutcome } from "../peers/spin.js";

export interface Comparison {
  readonly verdict: "agree" | "EXCLUDED" | "DIFFERS";
  /** Reason for exclusion, differences, or figures omitted from the comparison. */
  readonly notes: readonly string[];
  readonly spin: Figures | undefined;
  readonly ours: Figures | undefined;
}

export interface Figures {
  readonly states: number;
  /** Spin's convention: stored + matched. */
  readonly transitions: number;
  readonly errors: readonly string[];
}

export interface CompareOptions {
  /**
   * The model has choices inside an atomic sequence. pan then counts paths through the sequence, not edges, and its
   * number of transitions is only an upper bound of Everypath's.
   */
  readonly choosesInAtomic?: boolean;
  /** Channels are sent through channels, so that one may be used after its creator has ended. */
  readonly lendsChannels?: boolean;
}

export function compare(spin: SpinOutcome, ours: EverypathOutcome, options: CompareOptions = {}): Comparison {
  const figures = {
    spin: spin.kind === "searched" ? spinFigures(spin.report) : undefined,
    ours: ours.kind === "searched" ? ourFigures(ours.report) : undefined,
  };
  const answer = (verdict: Comparison["verdict"], ...notes: string[]): Comparison => ({
    verdict,
    notes,
    ...figures,
  });

  if (spin.kind === "rejected" && ours.kind === "rejected") return answer("agree", "both reject the model");
  if (ours.kind === "rejected") return answer("DIFFERS", `we reject it: ${firstLine(ours.message)}`);
  if (ours.kind === "crashed") return answer("DIFFERS", `we crash (${ours.how}): ${firstLine(ours.output)}`);
  if (spin.kind !== "searched") return answer("EXCLUDED", whyNoFigures(spin));
  if (spin.report.incomplete !== undefined && spin.report.incomplete !== "aborted")
    return answer("EXCLUDED", `pan ran out of ${spin.report.incomplete}`);
  if (ours.kind === "timeout")
    return spin.report.incomplete === "aborted"
      ? answer("EXCLUDED", "pan aborts at an error, and the whole graph takes too long")
      : answer("DIFFERS", "we do not end in time");

  // In pan a receive from a deleted channel blocks, depending on the memory where the channel was.
  if (
    options.lendsChannels &&
    !spin.report.errorKinds.has("bad-channel") &&
    figures.ours?.errors.includes("bad-channel")
  )
    return answer("EXCLUDED", "pan takes a channel that is gone for an empty one");

  const differences = [
    ...compareErrors(spin.report, ours.report),
    ...(countsAreComparable(spin.report) ? compareCounts(figures.spin!, figures.ours!, options) : []),
  ];
  if (differences.length > 0) return answer("DIFFERS", ...differences);
  return countsAreComparable(spin.report) ? answer("agree") : answer("agree", whyErrorsOnly(spin.report));
}

/** Spin's reason for having no figures, as in the list of exclusions. */
export function whyNoFigures(spin: Exclude<SpinOutcome, { kind: "searched" }>): string {
  switch (spin.kind) {
    case "timeout":
      return `time-out in ${spin.stage}`;
    case "rejected":
      return `rejected by ${spin.by}: ${lastLine(spin.message)}`;
    case "crashed":
      return `pan died: ${spin.how}`;
  }
}

export const ourFigures = (report: EverypathReport): Figures => ({
  states: report.stats.states,
  transitions: report.stats.spin?.transitions ?? report.stats.transitions + 1,
  errors: ourErrors(report),
});

const spinFigures = (report: PanReport): Figures => ({
  states: report.nominalStates,
  transitions: report.transitions,
  errors: [...report.errorKinds].sort(),
});

function ourErrors(report: EverypathReport): string[] {
  const violated = report.properties.filter((property) => property.verdict === "violated");
  return [...new Set(violated.map((property) => property.fault ?? property.kind))].sort();
}

function compareErrors(spin: PanReport, ours: EverypathReport): string[] {
  // A verifier built with -DNOREDUCE does not check xr and xs.
  const found = new Set(ourErrors(ours).filter((kind) => kind !== "exclusive-access"));
  const last = errorBeyondWhichPanGoes(spin);
  const expected = last === undefined ? spin.errorKinds : new Set([last]);
  const missed = [...expected].filter((kind) => !found.has(kind));
  // An abort hides later errors.
  const onlyOurs =
    spin.incomplete || last !== undefined ? [] : [...found].filter((kind) => !expected.has(kind as never));
  return [
    ...missed.map((kind) => `only Spin reports ${kind}: ${spin.errorMessages.join("; ")}`),
    ...onlyOurs.map((kind) => `only we report ${kind}`),
  ];
}

function compareCounts(spin: Figures, ours: Figures, options: CompareOptions): string[] {
  const differences: string[] = [];
  if (spin.states !== ours.states) differences.push(`states ${spin.states} and ${ours.states}`);
  const sameTransitions = options.choosesInAtomic
    ? ours.transitions <= spin.transitions
    : ours.transitions === spin.transitions;
  if (!sameTransitions) differences.push(`transitions ${spin.transitions} and ${ours.transitions}`);
  return differences;
}

/**
 * After these errors pan reads unrelated memory, or assumes an empty channel: a bad index, a poll of a rendezvous
 * channel, `len`, `full` and the like of an uninitialised channel. Its later reports do not apply to the model.
 */
function errorBeyondWhichPanGoes({ errorKinds, errorMessages }: PanReport): string | undefined {
  if (errorKinds.has("array-bounds")) return "array-bounds";
  return errorMessages.some((message) => GOES_ON.test(message)) ? "bad-channel" : undefined;
}

const GOES_ON = /poll rendezvous|uninitialized chan name \((len|qfull|q_zero)\)/;

/**
 * Statements that pan cannot undo: it restores messages and old values by indices that it evaluates again. A receive
 * that depends on the length of its channel restores another element (`c?a[len(c) % 2]`) or another message
 * (`c?eval(len(c))`), and a receive into a variable that selects the channel (`d[g % 2]?g`) returns the message to
 * another channel. The subsequent states do not belong to the program.
 */
export const defeatsUndoing = (text: string): boolean =>
  /\b(\w+)(?:\[[^\]]*\])?\?\??(?!\[)[^;?!>]*\b(?:len|n?full|n?empty)\(\1\b/.test(text) ||
  /\w\[[^\];]*\b([a-z]\w*)\b[^\];]*\]\?\??<?(?:[^;?!]*,\s*)?\1\b(?![[(])/.test(text);

const countsAreComparable = (spin: PanReport): boolean =>
  spin.incomplete === undefined && errorBeyondWhichPanGoes(spin) === undefined;

const whyErrorsOnly = (spin: PanReport): string =>
  spin.incomplete
    ? `errors only: pan aborts at ${spin.errorMessages.at(-1) ?? "an error"}`
    : "errors only: pan goes on after an error";

const firstLine = (text: string): string => text.trim().split("\n")[0] ?? "";
const lastLine = (text: string): string => text.trim().split("\n").at(-1) ?? "";

/**
 * Puts one search of Spin beside one of ours: the same kinds of error, the same states, the same transitions.
 *
 * Where pan's own figures do not describe the whole graph the counts are left out, and the comparison says
 * why: it is then `excluded`, or agrees on the errors alone.
 */
import type { EverypathOutcome, EverypathReport } from "../peers/everypath.js";
import type { PanReport } from "../peers/pan-output.js";
import type { SpinOutcome } from "../peers/spin.js";

export interface Comparison {
  readonly verdict: "agree" | "EXCLUDED" | "DIFFERS";
  /** Why it was excluded, what differs, or what was left out of an agreement. */
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
   * The model chooses inside an atomic sequence. pan then counts paths through the sequence, not edges, and
   * its number of transitions is only an upper bound of ours.
   */
  readonly choosesInAtomic?: boolean;
  /** Channels are sent through channels, so that one may be used after the process that made it has ended. */
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

  // A receive from a channel that is gone is blocked in pan, by whatever length stands where the channel was.
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

/** Spin's reason for having no figures, in the words of the list of exclusions. */
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
  // An abort hides what comes after it.
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
 * After a bad index pan goes on with whatever lies beside the array, after a poll of a rendezvous channel as if there were no message, after
 * `len`, `full` and the like of a channel that is not initialised with whatever lies before the channels: what it reports from there
 * on says nothing about the model.
 */
function errorBeyondWhichPanGoes({ errorKinds, errorMessages }: PanReport): string | undefined {
  if (errorKinds.has("array-bounds")) return "array-bounds";
  return errorMessages.some((message) => GOES_ON.test(message)) ? "bad-channel" : undefined;
}

const GOES_ON = /poll rendezvous|uninitialized chan name \((len|qfull|q_zero)\)/;

/**
 * Statements that pan cannot undo: it puts a message back, and an old value, by indices that it evaluates anew. A receive that looks at the very channel restores another element
 * than it wrote (`c?a[len(c) % 2]`) or another message than it took (`c?eval(len(c))`), and one into a variable by which its channel is chosen
 * (`d[g % 2]?g`) gives the message to another channel: the states that follow are none of the program.
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

/** Processes of a program as parts that meet in pairs: each is explored beside its partner, and steps without messages are silent. */
import { compile } from "../../compile/index.js";
import { exploreLts } from "../../engines/explicit/index.js";
import {
  END_NAME,
  ERROR_NAME,
  LtsBuilder,
  TAU,
  TAU_NAME,
  type Lts,
  type LtsNetwork,
  type NetworkPart,
  type Program,
  type Sources,
  type Span,
  type Step,
  type SyncVector,
  type Words,
} from "../../model/index.js";
import { nth } from "../../model/known.js";

export interface Component {
  readonly name: string;
  readonly program: Program;
  /** Name of the process with which it exchanges messages. */
  readonly partner: string;
}

const MOST_STATES = 2_000_000;

/** Undefined: the component is too large. */
export async function partOf(
  { name, program, partner }: Component,
  sources: Sources,
): Promise<NetworkPart | undefined> {
  const { steps } = compile(program, sources);
  const labels: string[] = [];
  const spans: (readonly Span[])[] = [];
  const numbers = new Map<string, number>();
  const { lts } = await exploreLts(
    {
      system: steps,
      actionOf: (state: Words, choice: number) => {
        const step = steps.describe(state, 0, choice);
        const label = nameOf(step, partner);
        const key = `${label} ${step.sources.map(({ file, start }) => `${file}:${start}`).join()}`;
        const number = numbers.get(key) ?? labels.length;
        if (number === labels.length) {
          numbers.set(key, number);
          labels.push(label);
          spans.push(step.sources);
        }
        return number;
      },
      labelOf: (action) => (nth(labels, action) === TAU_NAME ? undefined : nth(labels, action)),
      sourcesOf: (action) => nth(spans, action),
    },
    { maxStates: MOST_STATES },
    {},
  );
  return lts && { name, lts: eager(lts) };
}

/** `c!m` or `c?m` for a message, from the side of the process. */
function nameOf({ messages, participants }: Step, partner: string): string {
  const [first] = messages;
  if (participants.length < 2 || !first) return TAU_NAME;
  const isTaken = nth(participants, 0).startsWith(`${partner}[`);
  return `${first.channel}${isTaken ? "?" : "!"}${first.message}`;
}

/** Local steps are taken at once: a state with a silent step alone is its successor. A cycle of these stays, as an endless loop. */
// sound: test/languages/promela/components.test.ts
function eager(lts: Lts): Lts {
  const { states, firsts, actions, targets } = lts;
  const onlyStep = (s: number): number | undefined =>
    nth(firsts, s + 1) - nth(firsts, s) === 1 &&
    actions[nth(firsts, s)] === TAU &&
    targets[nth(firsts, s)] !== lts.error
      ? nth(targets, nth(firsts, s))
      : undefined;
  const settled = (from: number): number => {
    const seen = new Set<number>();
    let at = from;
    for (let next = onlyStep(at); next !== undefined && !seen.has(at); next = onlyStep(at)) {
      seen.add(at);
      at = next;
    }
    // Of a cycle, the least state, so that each has one.
    return seen.has(at) ? Math.min(...cycleOf(at, onlyStep)) : at;
  };
  const builder = new LtsBuilder();
  const numbers = new Map<number, number>();
  const order: number[] = [];
  const numberOf = (state: number): number => {
    const known = numbers.get(state) ?? order.push(state) - 1;
    numbers.set(state, known);
    return known;
  };
  const initial = lts.initial.map((state) => numberOf(settled(state)));
  const labels = lts.labels.map((label) => builder.labels.of(label));
  const added = new Set<string>();
  for (let i = 0; i < order.length; i++) {
    const s = nth(order, i);
    for (let t = nth(firsts, s); t < nth(firsts, s + 1); t++) {
      const target = numberOf(settled(nth(targets, t)));
      const key = `${i} ${nth(actions, t)} ${target}`;
      if (!added.has(key)) builder.add(i, nth(labels, nth(actions, t)), target);
      added.add(key);
    }
  }
  const isKnown = states > 0 && lts.error >= 0 ? numbers.get(lts.error) : undefined;
  return builder.finish(order.length, initial, isKnown ?? -1);
}

function cycleOf(start: number, next: (state: number) => number | undefined): number[] {
  const found = [start];
  for (let at = next(start); at !== undefined && at !== start; at = next(at)) found.push(at);
  return found;
}

/** Labels of channels that only one side uses. */
export const openChannels =
  (sides: ReadonlySet<string>) =>
  (label: string): boolean => {
    const name = (/^[^![?]*/.exec(label) ?? [""])[0];
    return !(sides.has(`${name}!`) && sides.has(`${name}?`));
  };

/** Messages meet in pairs; those of a channel that only one side uses are open. */
export function paired(
  name: string,
  parts: readonly NetworkPart[],
  sides: ReadonlySet<string>,
  span: Span,
): LtsNetwork {
  const owners = new Map<string, number[]>();
  for (const [part, { lts }] of parts.entries())
    for (const label of lts.labels.slice(1)) owners.set(label, [...(owners.get(label) ?? []), part]);
  const channelOf = (label: string): string => label.slice(0, label.search(/[!?]/));
  const baseOf = (label: string): string => channelOf(label).replace(/\[.*/, "");
  const vectors: SyncVector[] = [];
  const add = (label: string, moves: readonly (readonly [number, string])[]): void => {
    const labels: (string | undefined)[] = parts.map(() => undefined);
    for (const [part, own] of moves) labels[part] = own;
    vectors.push({ label, labels });
  };
  for (const [label, parties] of owners) {
    if (label === ERROR_NAME) for (const part of parties) add(label, [[part, label]]);
    if (label === ERROR_NAME || label === END_NAME) continue;
    const isSent = label.charAt(channelOf(label).length) === "!";
    // sound: test/languages/promela/components.test.ts
    if (!sides.has(`${baseOf(label)}${isSent ? "?" : "!"}`))
      for (const part of parties) add(label, [[part, label]]);
    else if (isSent) {
      const answer = `${channelOf(label)}?${label.slice(channelOf(label).length + 1)}`;
      for (const from of parties)
        for (const to of owners.get(answer) ?? [])
          if (from !== to)
            add(label, [
              [from, label],
              [to, answer],
            ]);
    }
  }
  if ((owners.get(END_NAME)?.length ?? 0) === parts.length)
    add(
      END_NAME,
      parts.map((_, part) => [part, END_NAME]),
    );
  return { name, parts, vectors, span };
}

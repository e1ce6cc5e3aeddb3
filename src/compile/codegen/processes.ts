/**
 * Finds processes by their number: `walk`, `templateOf`, `locationOf`, and the priorities.
 *
 * With blocks, a process begins at the end of the previous one: `walk` follows the records and stores their first words
 * in `B`, and the positions of channels in `QH`, `QA` and so on (see `channels.ts`). With a plan, positions are known:
 * `walk` only counts the processes, and tables give the position of each location.
 */
import type { BlockLayout, ChannelPlace, Layout, RecordLayout, ScalarSlot } from "../layout.js";
import type { ChannelShapes } from "./channels.js";
import { extract, mask, sum } from "./scope.js";

type Blocks = Layout["processes"] & { kind: "blocks" };
type Planned = Layout["processes"] & { kind: "planned" };

/** Statement that enters channel `number` into the tables; its position is relative to `base`. */
export function enterChannel(
  number: string,
  { channelType, header, area }: ChannelPlace,
  base: string,
  shapes: ChannelShapes,
): string {
  const at = (bit: number): string => sum(base, bit >> 5);
  return (
    `QS[${number}] = ${shapes.shapeOf[channelType]};` +
    ` QH[${number}] = ${at(header)}; QHB[${number}] = ${header & 31};` +
    ` QA[${number}] = ${at(area)}; QAB[${number}] = ${area & 31};`
  );
}

/** The function `walk`: the process and channel tables, from the source state. */
export function emitWalk(layout: Layout, shapes: ChannelShapes): string {
  return layout.processes.kind === "planned"
    ? walkPlanned(layout, layout.processes, shapes)
    : walkBlocks(layout, layout.processes, shapes);
}

function walkPlanned(layout: Layout, { records, permanent }: Planned, shapes: ChannelShapes): string {
  let channels = layout.globalChannels.length;
  const counts = [channels, ...records.map((r) => (channels += r.channels.length))];
  const all = [...layout.globalChannels, ...records.flatMap((r) => r.channels)];
  const isThere = ({ location: { bit, bits } }: RecordLayout): string =>
    `${extract(`s[${bit >> 5}]`, bit & 31, bits, false)} !== 0`;
  const optional = records.slice(permanent).map((r, i) => `${isThere(r)} ? ${permanent + i + 1} : `);
  return `// Every process and channel has its place.
${all.map((q, i) => enterChannel(String(i + 1), q, "0", shapes)).join("\n")}
const channelsUpTo = Int32Array.of(${counts.join(", ")});
/** Finds out how many processes and channels there are in the source state. */
function walk() {
  np = ${optional.reverse().join("")}${permanent};
  nq = channelsUpTo[np];
}`;
}

function walkBlocks(layout: Layout, { tag, records }: Blocks, shapes: ChannelShapes): string {
  const { fixedWords, globalChannels } = layout;
  const channels = records.flatMap((t, i) => {
    if (t.channels.length === 0) return [];
    const lines = t.channels.map((q) => `nq++; ${enterChannel("nq", q, "b", shapes)}`);
    return `case ${i + 1}: ${lines.join(" ")} break;`;
  });
  const perTemplate = channels.length > 0 ? `switch (t) { ${channels.join(" ")} }` : "";
  return `${globalChannels.map((q, i) => enterChannel(String(i + 1), q, "0", shapes)).join("\n")}
const blockWords = Int32Array.of(0, ${records.map((t) => t.words).join(", ")});
/** Finds the live processes and their channels in the source state. */
function walk() {
  let b = ${fixedWords};
  np = 0; nq = ${globalChannels.length};
  for (;;) {
    const t = s[b] & ${mask(tag.bits)};
    if (t === 0) break;
    B[np++] = b;
    ${perTemplate}
    b += blockWords[t];
  }
  end = b;
}`;
}

/** The functions that look up process `p` of the state at `a[at…]`. */
export function emitLookup(layout: Layout, usesPriorities: boolean): string {
  const { processes } = layout;
  return processes.kind === "planned"
    ? lookUpPlanned(processes, usesPriorities)
    : lookUpBlocks(processes, usesPriorities);
}

function lookUpPlanned({ records }: Planned, usesPriorities: boolean): string {
  const table = (of: (slot: ScalarSlot) => number): string =>
    `Int32Array.of(${records.map((r) => of(r.location)).join(", ")})`;
  const switched = (text: (r: RecordLayout, slot: ScalarSlot) => string): string =>
    records.map((r, p) => `case ${p}: ${text(r, r.priority!)}`).join(" ");
  const priorities = usesPriorities
    ? `
function priorityOf(a, at, p) {
  switch (p) { ${switched((_, { bit, bits }) => `return ${extract(`a[at + ${bit >> 5}]`, bit & 31, bits, false)};`)} }
}
function setPriority(a, at, p, value) {
  switch (p) { ${switched((_, { bit, bits }) => `a[at + ${bit >> 5}] = a[at + ${bit >> 5}] & ${~(mask(bits) << (bit & 31))} | value << ${bit & 31}; break;`)} }
}`
    : "";
  return `const plan = Int32Array.of(${records.map((r) => r.template).join(", ")});
const locationWord = ${table(({ bit }) => bit >> 5)}, locationBit = ${table(({ bit }) => bit & 31)};
const locationMask = ${table(({ bits }) => mask(bits))}, locationBase = ${table(({ base }) => base)};
const templateOf = (a, at, p) => plan[p];
const locationOf = (a, at, p) => (a[at + locationWord[p]] >>> locationBit[p] & locationMask[p]) + locationBase[p];${priorities}`;
}

function lookUpBlocks({ tag, records }: Blocks, usesPriorities: boolean): string {
  const location = records[0]?.location;
  const at = ({ bit, bits }: ScalarSlot): string =>
    extract(`a[${sum("at + B[p]", bit >> 5)}]`, bit & 31, bits, false);
  const priority = records[0]?.priority;
  const priorities =
    usesPriorities && priority
      ? `
const priorityOf = (a, at, p) => ${switchOnTemplate(records, (r) => at(r.priority!))};
function setPriority(a, at, p, value) {
  switch (templateOf(a, at, p)) { ${records.map((r, t) => `case ${t}: ${setAt(r.priority!)} break;`).join(" ")} }
}`
      : "";
  return `const templateOf = (a, at, p) => (a[at + B[p]] & ${mask(tag.bits)}) - 1;
const locationOf = (a, at, p) => ${location ? at(location) : "0"};${priorities}`;
}

/** The position of a priority may differ between templates. */
function switchOnTemplate(records: readonly BlockLayout[], text: (r: BlockLayout) => string): string {
  const cases = records.slice(0, -1).map((r, t) => `templateOf(a, at, p) === ${t} ? ${text(r)} : `);
  return `${cases.join("")}${text(records[records.length - 1]!)}`;
}

function setAt({ bit, bits }: ScalarSlot): string {
  const word = `a[${sum("at + B[p]", bit >> 5)}]`;
  return `${word} = ${word} & ${~(mask(bits) << (bit & 31))} | value << ${bit & 31};`;
}

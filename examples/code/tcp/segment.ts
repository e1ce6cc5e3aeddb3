/** Segments, and arithmetic on sequence numbers modulo 2³². */

/** Flags in a fixed order, as in `SYN+ACK`; `DATA` alone never occurs. */
export interface Segment {
  readonly type: string;
  readonly seq: number;
  /** 0 without the ACK flag. */
  readonly ack: number;
  readonly data: string;
  /** Receive window of the sender. */
  readonly wnd: number;
  readonly sum: number;
}

export type Flag = "SYN" | "FIN" | "RST" | "ACK";

const FLAGS: readonly Flag[] = ["SYN", "FIN", "RST", "ACK"];

export function makeSegment(
  flags: readonly Flag[],
  { seq, ack = 0, data = "", wnd = 0 }: { seq: number; ack?: number; data?: string; wnd?: number },
): Segment {
  const type = FLAGS.filter((flag) => flags.includes(flag)).join("+");
  const bare = { type, seq, ack: flags.includes("ACK") ? ack : 0, data, wnd };
  return { ...bare, sum: checksum(bare) };
}

export const hasFlag = ({ type }: Segment, flag: Flag): boolean => type.split("+").includes(flag);

/** Flips a flag and recomputes the checksum, as a faulty network device may do. */
export function toggled({ type, seq, ack, data, wnd }: Segment, flag: Flag): Segment {
  const flags = type.split("+").filter((each) => each !== "") as Flag[];
  const others = flags.includes(flag) ? flags.filter((each) => each !== flag) : [...flags, flag];
  return makeSegment(others, { seq, ack, data, wnd });
}

/** Length in sequence space. */
export const lengthOf = (segment: Segment): number =>
  segment.data.length + (hasFlag(segment, "SYN") ? 1 : 0) + (hasFlag(segment, "FIN") ? 1 : 0);

/** Ones' complement of the sum of all fields, in 16 bits. */
export function checksum({ type, seq, ack, data, wnd }: Omit<Segment, "sum">): number {
  let sum = seq + ack + wnd;
  for (const text of [type, data])
    for (let i = 0; i < text.length; i++) sum += text.charCodeAt(i) << (i % 2 === 0 ? 8 : 0);
  return ~sum & 0xffff;
}

export const add = (a: number, b: number): number => (a + b) >>> 0;
/** Distance from a to b: negative if b is before a. */
export const distance = (a: number, b: number): number => (b - a) | 0;
export const isBefore = (a: number, b: number): boolean => distance(a, b) > 0;

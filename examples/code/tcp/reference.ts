/**
 * The standard as a function: a control block and an input give a control block and outputs. Transcribed from RFC 793 (section
 * 3.9, with the corrections of RFC 1122), independently of `connection.ts`, which is compared with it.
 *
 * Not here: the expiry of timers, which the standard does not determine; they are inputs.
 */
import { hasFlag, lengthOf, type Segment } from "./segment.js";

export interface ControlBlock {
  readonly state: string;
  /** First number not acknowledged, next number to send, the other side's window. */
  readonly una: number;
  readonly nxt: number;
  readonly wnd: number;
  /** Next number to receive, our window. */
  readonly rcv: number;
  readonly rwnd: number;
  readonly cwnd: number;
  /** Unacknowledged data; unsent data. */
  readonly sent: string;
  readonly waiting: string;
  readonly fin: "none" | "queued" | "sent";
  readonly isPassive: boolean;
  readonly isClosedByUser: boolean;
  readonly retries: number;
  readonly delivered: string;
  readonly iss: number;
}

export type Input =
  | { readonly call: "listen" | "connect" | "close" }
  | { readonly call: "send"; readonly data: string }
  | { readonly call: "window"; readonly size: number }
  | { readonly segment: Segment }
  | { readonly timer: "retransmission" | "time-wait" };

export interface Result {
  readonly block: ControlBlock;
  readonly outputs: readonly string[];
}

export function initialBlock(iss: number): ControlBlock {
  return {
    ...{ state: "CLOSED", una: 0, nxt: 0, wnd: 0, rcv: 0, rwnd: 4, cwnd: 1, sent: "", waiting: "" },
    ...{ fin: "none", isPassive: false, isClosedByUser: false, retries: 0, delivered: "", iss },
  };
}

export function step(block: ControlBlock, input: Input): Result {
  if ("segment" in input) return arrive(block, input.segment);
  if ("timer" in input) return input.timer === "retransmission" ? again(block) : only(closed(block));
  switch (input.call) {
    case "listen":
      return only({ ...block, state: "LISTEN" });
    case "connect":
      return { block: opened(block, "SYN_SENT"), outputs: [`SYN ${block.iss}`] };
    case "send":
      return flushed({ ...block, waiting: block.waiting + input.data });
    case "window":
      return acknowledging({ ...block, rwnd: input.size });
    case "close":
      return close(block);
  }
}

/** The standard allows a FIN as the probe of a closed window: the resulting block. */
export function withFinAsProbe(block: ControlBlock): Result {
  return sendingFin(block);
}

function close(before: ControlBlock): Result {
  const block = { ...before, isClosedByUser: true };
  switch (block.state) {
    case "LISTEN":
    case "SYN_SENT":
      return only(closed(block));
    case "SYN_RCVD":
    case "ESTABLISHED":
      return flushed({ ...block, state: "FIN_WAIT_1", fin: "queued" });
    case "CLOSE_WAIT":
      return flushed({ ...block, state: "LAST_ACK", fin: "queued" });
    default:
      return only(block);
  }
}

function arrive(block: ControlBlock, segment: Segment): Result {
  switch (block.state) {
    case "CLOSED":
      return { block, outputs: rejection(segment) };
    case "LISTEN":
      return arriveListening(block, segment);
    case "SYN_SENT":
      return arriveOpening(block, segment);
    default:
      return arriveSynchronised(block, segment);
  }
}

function rejection(segment: Segment): readonly string[] {
  if (hasFlag(segment, "RST")) return [];
  if (hasFlag(segment, "ACK")) return [`RST ${segment.ack}`];
  return [`RST+ACK 0 ack ${segment.seq + lengthOf(segment)}`];
}

function arriveListening(block: ControlBlock, segment: Segment): Result {
  if (hasFlag(segment, "RST")) return only(block);
  if (hasFlag(segment, "ACK")) return { block, outputs: [`RST ${segment.ack}`] };
  if (!hasFlag(segment, "SYN")) return only(block);
  const rcv = segment.seq + 1;
  return {
    block: { ...opened(block, "SYN_RCVD"), isPassive: true, rcv, wnd: segment.wnd },
    outputs: [`SYN+ACK ${block.iss} ack ${rcv}`],
  };
}

function arriveOpening(block: ControlBlock, segment: Segment): Result {
  const hasAck = hasFlag(segment, "ACK");
  if (hasAck && segment.ack !== block.nxt)
    return { block, outputs: hasFlag(segment, "RST") ? [] : [`RST ${segment.ack}`] };
  if (hasFlag(segment, "RST")) return only(hasAck ? closed(block) : block);
  if (!hasFlag(segment, "SYN")) return only(block);
  const next = { ...block, rcv: segment.seq + 1, wnd: segment.wnd };
  if (!hasAck)
    return {
      block: { ...next, state: "SYN_RCVD" },
      outputs: [`SYN+ACK ${block.iss} ack ${next.rcv}`],
    };
  const established = { ...next, state: "ESTABLISHED", una: segment.ack, retries: 0 };
  return after(acknowledging(established), flushed);
}

function arriveSynchronised(block: ControlBlock, segment: Segment): Result {
  // First, the sequence number.
  if (!isInWindow(block, segment)) return hasFlag(segment, "RST") ? only(block) : acknowledging(block);
  // Second, RST.
  if (hasFlag(segment, "RST")) {
    const isBack = block.state === "SYN_RCVD" && block.isPassive && !block.isClosedByUser;
    return only(isBack ? { ...closed(block), state: "LISTEN" } : closed(block));
  }
  // Fourth, SYN.
  if (hasFlag(segment, "SYN")) return { block: closed(block), outputs: [`RST ${block.nxt}`] };
  // Fifth, ACK. Data for a user who is gone resets the connection before anything else comes of it (RFC 1122, 4.2.2.13).
  if (!hasFlag(segment, "ACK")) return only(block);
  const isLate =
    block.isClosedByUser && segment.data !== "" && segment.seq === block.rcv && isReceiving(block);
  if (isLate) return { block: closed(block), outputs: [`RST ${block.nxt}`] };
  return acknowledged(block, segment);
}

const isReceiving = ({ state }: ControlBlock): boolean =>
  state === "FIN_WAIT_1" || state === "FIN_WAIT_2" || state === "ESTABLISHED";

function isInWindow({ rcv, rwnd }: ControlBlock, segment: Segment): boolean {
  const length = lengthOf(segment);
  const covers = (number: number): boolean => rcv <= number && number < rcv + rwnd;
  if (length === 0 && rwnd === 0) return segment.seq === rcv;
  if (length === 0) return covers(segment.seq);
  if (rwnd === 0) return false;
  return covers(segment.seq) || covers(segment.seq + length - 1);
}

function acknowledged(before: ControlBlock, segment: Segment): Result {
  let block = before;
  if (block.state === "SYN_RCVD") {
    if (segment.ack <= block.una || segment.ack > block.nxt)
      return { block, outputs: [`RST ${segment.ack}`] };
    block = { ...block, state: "ESTABLISHED" };
  }
  if (segment.ack > block.nxt) return acknowledging(block);
  if (segment.ack > block.una) block = forgetting(block, segment.ack);
  block = { ...block, wnd: segment.wnd };
  const isFinished = block.fin === "sent" && block.una === block.nxt;
  if (isFinished && block.state === "LAST_ACK") return only(closed(block));
  if (isFinished && block.state === "FIN_WAIT_1") block = { ...block, state: "FIN_WAIT_2" };
  if (isFinished && block.state === "CLOSING") block = { ...block, state: "TIME_WAIT" };
  return after(flushed(block), (next) => content(next, segment));
}

/** Removes acknowledged data. */
function forgetting(block: ControlBlock, ack: number): ControlBlock {
  const isOfSyn = block.una === block.iss;
  const units = ack - block.una - (isOfSyn ? 1 : 0);
  const cwnd = isOfSyn ? block.cwnd : Math.min(4, block.cwnd + 1);
  return { ...block, una: ack, sent: block.sent.slice(units), cwnd, retries: 0 };
}

/** Seventh and eighth: data and FIN. */
function content(before: ControlBlock, segment: Segment): Result {
  const isFin = hasFlag(segment, "FIN");
  if (segment.data === "" && !isFin) return only(before);
  if (segment.seq !== before.rcv) return acknowledging(before);
  const { data } = segment;
  const block = isReceiving(before)
    ? { ...before, delivered: before.delivered + data, rcv: before.rcv + data.length }
    : before;
  return acknowledging(isFin ? finished(block) : block);
}

function finished(block: ControlBlock): ControlBlock {
  const rcv = block.rcv + 1;
  if (block.state === "ESTABLISHED") return { ...block, rcv, state: "CLOSE_WAIT" };
  if (block.state === "FIN_WAIT_1") return { ...block, rcv, state: "CLOSING" };
  if (block.state === "FIN_WAIT_2") return { ...block, rcv, state: "TIME_WAIT" };
  return block;
}

/** A retransmission timer expired: the first unacknowledged unit is sent again, once. */
function again(block: ControlBlock): Result {
  if (block.retries > 0) return only(closed(block));
  const next = { ...block, retries: 1, cwnd: 1 };
  const { una, rcv } = block;
  if (una === block.iss)
    return {
      block: next,
      outputs: [block.state === "SYN_SENT" ? `SYN ${una}` : `SYN+ACK ${una} ack ${rcv}`],
    };
  if (block.sent !== "") return { block: next, outputs: [`ACK ${una} ack ${rcv} '${block.sent[0]}'`] };
  if (block.fin === "sent") return { block: next, outputs: [`FIN+ACK ${una} ack ${rcv}`] };
  return only(next);
}

/** Sends all data within the windows, and then the FIN. */
function flushed(block: ControlBlock): Result {
  const isSending = ["ESTABLISHED", "CLOSE_WAIT", "FIN_WAIT_1", "LAST_ACK"].includes(block.state);
  if (!isSending || block.fin === "sent") return only(block);
  const window = Math.min(block.cwnd, block.wnd);
  if (block.waiting !== "" && block.nxt - block.una < window) {
    const unit = block.waiting[0]!;
    const next = {
      ...block,
      waiting: block.waiting.slice(1),
      sent: block.sent + unit,
      nxt: block.nxt + 1,
    };
    return after({ block: next, outputs: [`ACK ${block.nxt} ack ${block.rcv} '${unit}'`] }, flushed);
  }
  const isDue = block.fin === "queued" && block.waiting === "" && block.wnd > 0;
  return isDue ? sendingFin(block) : only(block);
}

const sendingFin = (block: ControlBlock): Result => ({
  block: { ...block, fin: "sent", nxt: block.nxt + 1 },
  outputs: [`FIN+ACK ${block.nxt} ack ${block.rcv}`],
});

const acknowledging = (block: ControlBlock): Result => ({
  block,
  outputs: [`ACK ${block.nxt} ack ${block.rcv}`],
});

const only = (block: ControlBlock): Result => ({ block, outputs: [] });

function after({ block, outputs }: Result, next: (block: ControlBlock) => Result): Result {
  const then = next(block);
  return { block: then.block, outputs: [...outputs, ...then.outputs] };
}

const opened = (block: ControlBlock, state: string): ControlBlock => ({
  ...closed(block),
  state,
  una: block.iss,
  nxt: block.iss + 1,
});

/** Resets the block except for the user's data and calls. */
const closed = (block: ControlBlock): ControlBlock => ({
  ...initialBlock(block.iss),
  isClosedByUser: block.isClosedByUser,
  delivered: block.delivered,
});

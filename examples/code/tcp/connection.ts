/**
 * One end of a connection: the state machine of RFC 793, with a simplified congestion window of RFC 2581
 * (one more for each new acknowledgment, one after a loss).
 *
 * In: calls of the application, segments, timers. Out: segments, by `output`; the result of the connection, by `outcome`.
 * Read `receive` first. `input.ts` handles segments in synchronised states, `output.ts` the sending.
 */
import type { TcpError } from "./errors.js";
import { onSegment } from "./input.js";
import { sendFlags, transmit } from "./output.js";
import { add, hasFlag, lengthOf, makeSegment, type Segment } from "./segment.js";

export type State =
  | "CLOSED"
  | "LISTEN"
  | "SYN_SENT"
  | "SYN_RCVD"
  | "ESTABLISHED"
  | "FIN_WAIT_1"
  | "FIN_WAIT_2"
  | "CLOSE_WAIT"
  | "CLOSING"
  | "LAST_ACK"
  | "TIME_WAIT";

/** Reason of a closed connection; "" while it is open, or after an orderly end. */
export type Outcome = "" | "reset" | "refused" | "timeout";

export interface ConnectionOptions {
  readonly iss: number;
  readonly errors: readonly TcpError[];
  /** Number of retransmissions before the other side is given up. */
  readonly maxRetries: number;
  /** A FIN may serve as the probe of a closed window. */
  readonly probesWithFin: boolean;
}

export const MAX_WINDOW = 4;
/** Maximum of the congestion window: larger values do not affect the output. */
export const MAX_CONGESTION_WINDOW = 4;

export class Connection {
  state: State = "CLOSED";
  outcome: Outcome = "";
  sndUna = 0;
  sndNxt = 0;
  sndWnd = 0;
  rcvNxt = 0;
  rcvWnd = MAX_WINDOW;
  cwnd = 1;
  /** From `sndUna` on: unacknowledged data, then unsent data. */
  sendQueue = "";
  received = "";
  isFinQueued = false;
  isFinSent = false;
  isPassive = false;
  /** The application is gone: incoming data has no receiver. */
  isAbandoned = false;
  retries = 0;
  /** Segments to be sent, in order. */
  output: Segment[] = [];
  readonly options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    this.options = options;
  }

  has(error: TcpError): boolean {
    return this.options.errors.includes(error);
  }

  listen(): void {
    this.state = "LISTEN";
  }

  connect(): void {
    this.open("SYN_SENT", false);
    sendFlags(this, ["SYN"], this.options.iss);
  }

  send(data: string): void {
    this.sendQueue += data;
    transmit(this);
  }

  close(): void {
    this.isAbandoned = true;
    switch (this.state) {
      case "LISTEN":
      case "SYN_SENT":
        return this.end("");
      case "SYN_RCVD":
        // T3: drops the connection silently.
        if (this.has("T3")) return this.end("");
        return this.finish("FIN_WAIT_1");
      case "ESTABLISHED":
        return this.finish("FIN_WAIT_1");
      case "CLOSE_WAIT":
        return this.finish("LAST_ACK");
      default:
    }
  }

  /** Closes or opens the receive window and notifies the other side. */
  setWindow(size: number): void {
    this.rcvWnd = size;
    sendFlags(this, ["ACK"], this.sndNxt);
  }

  receive(segment: Segment): void {
    switch (this.state) {
      case "CLOSED":
        return this.refuse(segment);
      case "LISTEN":
        return this.receiveListening(segment);
      case "SYN_SENT":
        return this.receiveOpening(segment);
      default:
        return onSegment(this, segment);
    }
  }

  isAwaitingAcknowledgment(): boolean {
    const isIdle = this.state === "CLOSED" || this.state === "LISTEN" || this.state === "TIME_WAIT";
    return !isIdle && this.sndUna !== this.sndNxt;
  }

  /** The other side was silent for too long. */
  onRetransmissionTimeout(): void {
    if (this.retries >= this.options.maxRetries) return this.end("timeout");
    this.retries++;
    this.cwnd = 1;
    if (this.sndUna === this.options.iss)
      return sendFlags(this, this.state === "SYN_SENT" ? ["SYN"] : ["SYN", "ACK"], this.sndUna);
    if (this.sendQueue !== "") return sendFlags(this, ["ACK"], this.sndUna, this.sendQueue[0]!);
    sendFlags(this, ["FIN", "ACK"], this.sndUna);
  }

  onTimeWaitTimeout(): void {
    this.end("");
  }

  end(outcome: Outcome): void {
    this.reset("CLOSED");
    this.outcome = outcome;
  }

  /** Resets a half-open connection to its initial state. */
  backToListen(): void {
    this.reset("LISTEN");
  }

  private finish(state: State): void {
    this.state = state;
    this.isFinQueued = true;
    transmit(this);
  }

  private open(state: State, isPassive: boolean): void {
    this.reset(state);
    this.isPassive = isPassive;
    this.sndUna = this.options.iss;
    this.sndNxt = add(this.options.iss, 1);
  }

  /** Keeps received data: the application may not have read it. */
  private reset(state: State): void {
    this.state = state;
    this.outcome = "";
    this.sndUna = this.sndNxt = this.sndWnd = this.rcvNxt = 0;
    this.rcvWnd = MAX_WINDOW;
    this.cwnd = 1;
    this.sendQueue = "";
    this.isFinQueued = this.isFinSent = this.isPassive = false;
    this.retries = 0;
  }

  /** The segment belongs to no connection. */
  private refuse(segment: Segment): void {
    if (hasFlag(segment, "RST")) return;
    if (hasFlag(segment, "ACK")) this.output.push(makeSegment(["RST"], { seq: segment.ack }));
    else this.output.push(makeSegment(["RST", "ACK"], { seq: 0, ack: add(segment.seq, lengthOf(segment)) }));
  }

  private receiveListening(segment: Segment): void {
    if (hasFlag(segment, "RST")) return;
    if (hasFlag(segment, "ACK")) {
      this.output.push(makeSegment(["RST"], { seq: segment.ack }));
      return;
    }
    if (!hasFlag(segment, "SYN")) return;
    this.open("SYN_RCVD", true);
    this.rcvNxt = add(segment.seq, 1);
    this.sndWnd = segment.wnd;
    sendFlags(this, ["SYN", "ACK"], this.options.iss);
  }

  private receiveOpening(segment: Segment): void {
    const hasAck = hasFlag(segment, "ACK");
    if (hasAck && segment.ack !== this.sndNxt) {
      if (!hasFlag(segment, "RST")) this.output.push(makeSegment(["RST"], { seq: segment.ack }));
      return;
    }
    if (hasFlag(segment, "RST")) {
      if (hasAck) this.end("reset");
      return;
    }
    if (!hasFlag(segment, "SYN")) return;
    this.rcvNxt = add(segment.seq, 1);
    this.sndWnd = segment.wnd;
    if (!hasAck) {
      this.state = "SYN_RCVD";
      return sendFlags(this, ["SYN", "ACK"], this.options.iss);
    }
    this.sndUna = segment.ack;
    this.retries = 0;
    this.state = "ESTABLISHED";
    sendFlags(this, ["ACK"], this.sndNxt);
    transmit(this);
  }
}

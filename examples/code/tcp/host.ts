/**
 * A host with an application on its TCP, compared with the standard: every input of the connection is also an input of the
 * reference model, and then both must have the same outputs and the same state.
 */
import type { Environment } from "everypath/system";
import { allowances, type Difference } from "./allowances.js";
import type { Connection, ConnectionOptions } from "./connection.js";
import { initialBlock, step, type ControlBlock, type Input } from "./reference.js";
import { toggled, type Flag, type Segment } from "./segment.js";
import { TcpStack } from "./stack.js";
import { warmUp } from "./warm-up.js";

export interface HostOptions {
  readonly peer: string;
  readonly isServer: boolean;
  readonly connection: ConnectionOptions;
  /** Flags that the network may corrupt. */
  readonly corrupted: readonly Flag[];
  /** Accepts differences that the standard leaves open. */
  readonly allows: boolean;
  readonly isWarm: boolean;
}

export class Host {
  readonly stack: TcpStack;
  reference: ControlBlock;
  /** Difference between the implementation and the standard; "" without one. */
  difference = "";
  /** Total data sent by the application. */
  sent = "";
  hasOpened = false;
  /** Resources held before the first session. */
  start = "";
  private readonly environment: Environment;
  private readonly options: HostOptions;

  constructor(environment: Environment, options: HostOptions) {
    this.environment = environment;
    this.options = options;
    this.stack = new TcpStack(options.connection, options.peer);
    this.reference = initialBlock(options.connection.iss);
  }

  get connection(): Connection {
    return this.stack.connection;
  }

  onStart(): void {
    const { isServer, isWarm, connection } = this.options;
    if (isWarm) warmUp(this.stack, connection, !isServer);
    if (isServer) this.perform({ call: "listen" }, (end) => end.listen());
    this.start = this.holds();
  }

  connect(): void {
    this.hasOpened = true;
    this.perform({ call: "connect" }, (end) => end.connect());
  }

  send(data: string): void {
    this.sent += data;
    this.perform({ call: "send", data }, (end) => end.send(data));
  }

  close(): void {
    this.perform({ call: "close" }, (end) => end.close());
  }

  setWindow(size: number): void {
    this.perform({ call: "window", size }, (end) => end.setWindow(size));
  }

  timeOut(timer: "retransmission" | "time-wait"): void {
    this.compare({ timer }, this.stack.timeOut(timer));
  }

  onMessage(_from: string, intact: Segment): void {
    const segment = this.arrived(intact);
    this.compare({ segment }, this.stack.receive(segment));
  }

  /** Resources held beyond the connection itself. */
  holds(): string {
    const { timers, listeners, metrics } = this.stack;
    return JSON.stringify({ timers, listeners, metrics });
  }

  private arrived(segment: Segment): Segment {
    const { corrupted } = this.options;
    if (corrupted.length === 0 || !this.environment.fails("network")) return segment;
    return toggled(segment, this.environment.chooseFrom(corrupted));
  }

  private perform(input: Input, what: (connection: Connection) => void): void {
    this.compare(input, this.stack.run(what));
  }

  private compare(input: Input, outputs: readonly Segment[]): void {
    const { block, outputs: expected } = step(this.reference, input);
    const difference: Difference = { before: this.reference, block, expected, outputs: outputs.map(shown) };
    const allowance = this.options.allows ? allowances.find(({ matches }) => matches(difference)) : undefined;
    this.reference = allowance ? allowance.accepted(difference) : block;
    this.difference = allowance ? "" : this.differs(difference);
    for (const segment of outputs) this.environment.send(this.options.peer, { ...segment });
  }

  private differs({ block, expected, outputs }: Difference): string {
    if (expected.join() !== outputs.join())
      return `sends ${outputs.join(", ") || "nothing"} instead of ${expected.join(", ") || "nothing"}`;
    const { state, sndUna, sndNxt, rcvNxt, cwnd, received } = this.connection;
    const own = { state, una: sndUna, nxt: sndNxt, rcv: rcvNxt, cwnd, delivered: received };
    for (const [key, value] of Object.entries(own)) {
      const standard = block[key as keyof typeof own];
      if (standard !== value) return `has ${key} ${value} instead of ${standard}`;
    }
    return "";
  }
}

/** In the reference's terms. */
function shown({ type, seq, ack, data }: Segment): string {
  const answer = type.includes("ACK") ? ` ack ${ack}` : "";
  return `${type} ${seq}${answer}${data === "" ? "" : ` '${data}'`}`;
}

/** A host's TCP: its connection and the resources of the connection. */
import { Connection, type ConnectionOptions } from "./connection.js";
import { checksum, type Segment } from "./segment.js";

export class TcpStack {
  connection: Connection;
  /** Names of running timers. */
  timers: string[] = [];
  /** Listeners for segments. */
  readonly listeners: string[] = [];
  /** Data about other hosts, kept across connections. */
  readonly metrics: Record<string, { isReachable: boolean }> = {};
  readonly statistics = { segmentsIn: 0, segmentsOut: 0 };
  private isRegistered = false;
  private readonly peer: string;

  constructor(options: ConnectionOptions, peer: string) {
    this.connection = new Connection(options);
    this.peer = peer;
  }

  /** Applies an operation to the connection and returns the segments to send. */
  run(what: (connection: Connection) => void): readonly Segment[] {
    const { connection } = this;
    what(connection);
    this.manage();
    const { output } = connection;
    connection.output = [];
    this.statistics.segmentsOut += output.length;
    return output;
  }

  /** Damaged segments count as lost. */
  receive(segment: Segment): readonly Segment[] {
    this.statistics.segmentsIn++;
    if (segment.sum !== checksum(segment)) return [];
    return this.run((connection) => connection.receive(segment));
  }

  timeOut(timer: string): readonly Segment[] {
    return this.run((connection) =>
      timer === "retransmission" ? connection.onRetransmissionTimeout() : connection.onTimeWaitTimeout(),
    );
  }

  /** A new connection with the same host. */
  renew(): void {
    this.connection = new Connection(this.connection.options);
  }

  /** Timers and listeners exist while the connection needs them. */
  private manage(): void {
    const { connection } = this;
    if (connection.state === "ESTABLISHED") this.metrics[this.peer] = { isReachable: true };
    const isOver = connection.state === "CLOSED" || connection.state === "LISTEN";
    this.register(!isOver);
    // LEAK_TIMER: an unexpected end.
    if (isOver && connection.outcome === "reset" && connection.has("LEAK_TIMER")) return;
    this.timers = [];
    if (connection.isAwaitingAcknowledgment()) this.timers.push("retransmission");
    if (connection.state === "TIME_WAIT") this.timers.push("time-wait");
  }

  private register(isNeeded: boolean): void {
    if (isNeeded === this.isRegistered) return;
    this.isRegistered = isNeeded;
    if (isNeeded) this.listeners.push("segments");
    // LEAK_LISTENER: keeps the handler registered.
    else if (!this.connection.has("LEAK_LISTENER")) this.listeners.pop();
  }
}

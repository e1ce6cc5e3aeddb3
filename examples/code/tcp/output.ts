/** Sending of segments. */
import type { Connection } from "./connection.js";
import { add, distance, makeSegment, type Flag } from "./segment.js";

/** A segment with the current state of the connection. */
export function sendFlags(connection: Connection, flags: readonly Flag[], seq: number, data = ""): void {
  const { rcvNxt: ack, rcvWnd: wnd } = connection;
  connection.output.push(makeSegment(flags, { seq, ack, data, wnd }));
}

export function sendAck(connection: Connection): void {
  sendFlags(connection, ["ACK"], connection.sndNxt);
}

/** Sends queued data within both windows, one unit a segment, and then the FIN. */
export function transmit(connection: Connection): void {
  if (!maySend(connection) || connection.isFinSent) return;
  while (unsentOf(connection) > 0 && inFlight(connection) < windowOf(connection)) {
    const data = connection.sendQueue[connection.sendQueue.length - unsentOf(connection)]!;
    sendFlags(connection, ["ACK"], connection.sndNxt, data);
    connection.sndNxt = add(connection.sndNxt, 1);
  }
  if (!connection.isFinQueued || unsentOf(connection) > 0 || !mayFinish(connection)) return;
  sendFlags(connection, ["FIN", "ACK"], connection.sndNxt);
  connection.sndNxt = add(connection.sndNxt, 1);
  connection.isFinSent = true;
}

/** Unsent units. */
function unsentOf({ sendQueue, sndUna, sndNxt, options }: Connection): number {
  const sent = distance(sndUna, sndNxt) - (sndUna === options.iss ? 1 : 0);
  return sendQueue.length - sent;
}

const inFlight = ({ sndUna, sndNxt }: Connection): number => distance(sndUna, sndNxt);

const windowOf = ({ cwnd, sndWnd }: Connection): number => Math.min(cwnd, sndWnd);

const maySend = ({ state }: Connection): boolean =>
  state === "ESTABLISHED" || state === "CLOSE_WAIT" || state === "FIN_WAIT_1" || state === "LAST_ACK";

/** A FIN lies beyond a closed window; sending it anyway provokes a response. */
const mayFinish = ({ sndWnd, options, sndUna, sndNxt }: Connection): boolean =>
  sndWnd > 0 || (options.probesWithFin && sndUna === sndNxt);

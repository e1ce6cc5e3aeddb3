/** Segments that arrive in synchronised states, in the order of RFC 793, section 3.9. */
import { MAX_CONGESTION_WINDOW, type Connection } from "./connection.js";
import { sendAck, sendFlags, transmit } from "./output.js";
import { add, distance, hasFlag, isBefore, lengthOf, makeSegment, type Segment } from "./segment.js";

export function onSegment(connection: Connection, segment: Segment): void {
  // T2: takes a repeated SYN+ACK for a response.
  if (connection.has("T2") && isSecondAnswer(connection, segment)) return countTwice(connection);
  if (!isAcceptable(connection, segment)) {
    if (!hasFlag(segment, "RST")) sendAck(connection);
    return;
  }
  const isHalfOpen = connection.state === "SYN_RCVD";
  // T1: intended for crossing SYNs; also ignores a RST without ACK.
  if (connection.has("T1") && isHalfOpen && !hasFlag(segment, "ACK")) return;
  if (hasFlag(segment, "RST")) return onReset(connection);
  if (hasFlag(segment, "SYN")) return abort(connection);
  if (!hasFlag(segment, "ACK")) return;
  const isBurst = connection.has("T4");
  if (!isBurst && isUndeliverable(connection, segment)) return abort(connection);
  if (!onAcknowledgment(connection, segment)) return;
  // T4: too late: data allowed by the acknowledgment has been sent.
  if (isBurst && isUndeliverable(connection, segment)) return abort(connection);
  onContent(connection, segment);
}

const isSecondAnswer = ({ state }: Connection, segment: Segment): boolean =>
  state === "ESTABLISHED" && hasFlag(segment, "SYN") && hasFlag(segment, "ACK");

function countTwice(connection: Connection): void {
  connection.cwnd = Math.min(connection.cwnd + 1, MAX_CONGESTION_WINDOW);
  sendAck(connection);
  transmit(connection);
}

/** Does any part of it lie in the window? */
function isAcceptable({ rcvNxt, rcvWnd }: Connection, segment: Segment): boolean {
  const length = lengthOf(segment);
  const first = distance(rcvNxt, segment.seq);
  if (length === 0) return rcvWnd === 0 ? first === 0 : first >= 0 && first < rcvWnd;
  const last = first + length - 1;
  return rcvWnd > 0 && ((first >= 0 && first < rcvWnd) || (last >= 0 && last < rcvWnd));
}

function onReset(connection: Connection): void {
  if (connection.state !== "SYN_RCVD") return connection.end("reset");
  if (connection.isPassive && !connection.isAbandoned) connection.backToListen();
  else connection.end("refused");
}

function abort(connection: Connection): void {
  connection.output.push(makeSegment(["RST"], { seq: connection.sndNxt }));
  connection.end("reset");
}

/** Data for a closed application. */
function isUndeliverable({ isAbandoned, rcvNxt, state }: Connection, { data, seq }: Segment): boolean {
  const isOpen = state === "FIN_WAIT_1" || state === "FIN_WAIT_2";
  return isAbandoned && isOpen && data !== "" && seq === rcvNxt;
}

/** False: the segment is complete. */
function onAcknowledgment(connection: Connection, segment: Segment): boolean {
  const { sndUna, sndNxt } = connection;
  if (connection.state === "SYN_RCVD") {
    if (!isBefore(sndUna, segment.ack) || isBefore(sndNxt, segment.ack)) {
      connection.output.push(makeSegment(["RST"], { seq: segment.ack }));
      return false;
    }
    connection.state = "ESTABLISHED";
  }
  if (isBefore(sndNxt, segment.ack)) {
    sendAck(connection);
    return false;
  }
  if (isBefore(sndUna, segment.ack)) advance(connection, segment.ack);
  connection.sndWnd = segment.wnd;
  if (connection.isFinSent && connection.sndUna === connection.sndNxt && !finish(connection)) return false;
  transmit(connection);
  return true;
}

function advance(connection: Connection, ack: number): void {
  const { sndUna, sendQueue, options, isFinSent, sndNxt } = connection;
  const isSynCounted = sndUna === options.iss ? 1 : 0;
  const isFinCounted = isFinSent && ack === sndNxt ? 1 : 0;
  connection.sendQueue = sendQueue.slice(distance(sndUna, ack) - isSynCounted - isFinCounted);
  connection.sndUna = ack;
  connection.retries = 0;
  if (!isSynCounted) connection.cwnd = Math.min(connection.cwnd + 1, MAX_CONGESTION_WINDOW);
}

/** Our FIN has arrived. False: the connection is complete. */
function finish(connection: Connection): boolean {
  switch (connection.state) {
    case "FIN_WAIT_1":
      connection.state = "FIN_WAIT_2";
      return true;
    case "CLOSING":
      connection.state = "TIME_WAIT";
      return true;
    case "LAST_ACK":
      connection.end("");
      return false;
    default:
      return true;
  }
}

/** Data and FIN. Discards out-of-order data, which is retransmitted. */
function onContent(connection: Connection, segment: Segment): void {
  const { data, seq } = segment;
  const isFin = hasFlag(segment, "FIN");
  if (data === "" && !isFin) return;
  if (seq === connection.rcvNxt) {
    if (mayReceive(connection)) {
      connection.received += data;
      connection.rcvNxt = add(connection.rcvNxt, data.length);
    }
    if (isFin) onFin(connection);
  }
  sendFlags(connection, ["ACK"], connection.sndNxt);
}

const mayReceive = ({ state }: Connection): boolean =>
  state === "ESTABLISHED" || state === "FIN_WAIT_1" || state === "FIN_WAIT_2";

function onFin(connection: Connection): void {
  const next = (
    {
      ESTABLISHED: "CLOSE_WAIT",
      FIN_WAIT_1: "CLOSING",
      FIN_WAIT_2: "TIME_WAIT",
    } as const
  )[connection.state as string];
  if (next === undefined) return;
  connection.rcvNxt = add(connection.rcvNxt, 1);
  connection.state = next;
}

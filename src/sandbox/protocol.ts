/** Messages between the two processes: plain data, sent as structured clones. */
import { deserialize, serialize } from "node:v8";
import type { Lock } from "../code/isolation/index.js";
import type { Diagnostic } from "../model/index.js";
import { nth } from "../model/known.js";

/** Each kind of job has further fields, known to its sender and its worker. */
export interface Job {
  readonly kind: string;
  /** Restricts the process; absent: it runs no code but our own. */
  readonly lock?: Lock;
}

export type ToChild =
  | { readonly kind: "job"; readonly job: Job }
  | { readonly kind: "stop" }
  | { readonly kind: "ask"; readonly asked: unknown };

export type FromChild =
  | { readonly kind: "alive" }
  /** News during the job, specific to its kind. */
  | { readonly kind: "news"; readonly news: unknown }
  | Answer;

export type Answer =
  | { readonly kind: "done"; readonly answer: unknown }
  /** The system has an error. */
  | { readonly kind: "refused"; readonly problem: Diagnostic }
  /** An internal error. */
  | { readonly kind: "broken"; readonly message: string; readonly stack: string };

/**
 * Descriptor of the channel from the child, a pipe with synchronous writes: a message that waited for the event loop would be lost if
 * the code under test never returned. The other direction is Node's IPC channel.
 */
export const channel = 4;

/** The message, preceded by its length in bytes. */
export function framed(message: FromChild): Buffer {
  const body = serialize(message);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(body.length);
  return Buffer.concat([head, body]);
}

/** Reassembles messages from chunks. */
export class Frames {
  #parts: Buffer[] = [];
  #length = 0;

  push(part: Buffer): FromChild[] {
    this.#parts.push(part);
    this.#length += part.length;
    const found: FromChild[] = [];
    for (let body = this.#take(); body; body = this.#take()) found.push(deserialize(body) as FromChild);
    return found;
  }

  /** The next complete message. Chunks are joined only when complete: a report may arrive in thousands. */
  #take(): Buffer | undefined {
    if (this.#length < HEAD_BYTES) return undefined;
    if (nth(this.#parts, 0).length < HEAD_BYTES) this.#parts = [Buffer.concat(this.#parts)];
    const end = HEAD_BYTES + nth(this.#parts, 0).readUInt32LE();
    if (this.#length < end) return undefined;
    const whole = this.#parts.length === 1 ? nth(this.#parts, 0) : Buffer.concat(this.#parts);
    const rest = whole.subarray(end);
    this.#parts = rest.length > 0 ? [rest] : [];
    this.#length = rest.length;
    return whole.subarray(HEAD_BYTES, end);
  }
}

const HEAD_BYTES = 4;

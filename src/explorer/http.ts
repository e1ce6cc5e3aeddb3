/** The few things about HTTP that routes share: bodies with a limit, answers, streams of events. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { refusal, type Refusal } from "./gate.js";
import type { ServerEvent } from "./protocol.js";

/** A text of a megabyte, plus JSON overhead. */
const LARGEST_BODY = 2 << 20;

/** The body as JSON; stops reading a body that is too large. */
export async function readJson(
  request: IncomingMessage,
): Promise<{ readonly body: Record<string, unknown> } | Refusal> {
  const tooLarge = refusal(413, "the request is too large");
  if (Number(request.headers["content-length"] ?? 0) > LARGEST_BODY) return tooLarge;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size > LARGEST_BODY) return tooLarge;
    parts.push(part as Buffer);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { body: value as Record<string, unknown> };
  } catch {
    // Said below.
  }
  return refusal(400, "the request is not a JSON object");
}

export function send(response: ServerResponse, status: number, type: string, content: string | Buffer): void {
  response.writeHead(status, {
    ...headers,
    "content-type": type,
    "content-length": Buffer.byteLength(content),
  });
  response.end(content);
}

export const sendJson = (response: ServerResponse, status: number, value: unknown): void =>
  send(response, status, "application/json; charset=utf-8", JSON.stringify(value));

/** All event listeners. */
export class Audience {
  readonly #listeners = new Set<ServerResponse>();

  add(response: ServerResponse): void {
    response.writeHead(200, { ...headers, "content-type": "text/event-stream" });
    response.write(": hello\n\n");
    this.#listeners.add(response);
    response.on("close", () => this.#listeners.delete(response));
  }

  broadcast(event: ServerEvent): void {
    for (const response of this.#listeners) response.write(`data: ${JSON.stringify(event)}\n\n`);
  }

  /** Later events have no listener: ending threads still report their end. */
  close(): void {
    for (const response of this.#listeners) response.end();
    this.#listeners.clear();
  }
}

const headers = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  // CodeMirror and the drawings use inline styles; scripts come only from this server, and nothing from other hosts.
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data: blob:; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

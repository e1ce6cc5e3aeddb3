/** Messages of the Language Server Protocol: JSON with a header that says its length in bytes. */

export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: unknown;
}

/** Collects bytes and returns the complete messages; a body that is not JSON is undefined. */
export class MessageReader {
  #bytes: Buffer = Buffer.alloc(0);

  read(bytes: Uint8Array): (Message | undefined)[] {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    const messages: (Message | undefined)[] = [];
    for (let body = this.#take(); body !== undefined; body = this.#take()) messages.push(parse(body));
    return messages;
  }

  #take(): string | undefined {
    const end = this.#bytes.indexOf("\r\n\r\n");
    if (end < 0) return undefined;
    const header = this.#bytes.subarray(0, end).toString("ascii");
    const length = Number(/^content-length: *(\d+)/im.exec(header)?.[1] ?? Number.NaN);
    const start = end + 4;
    if (Number.isNaN(length)) {
      // Without a length, the next header is the next place to continue.
      this.#bytes = this.#bytes.subarray(start);
      return "";
    }
    if (this.#bytes.length < start + length) return undefined;
    const body = this.#bytes.subarray(start, start + length).toString("utf8");
    this.#bytes = this.#bytes.subarray(start + length);
    return body;
  }
}

function parse(body: string): Message | undefined {
  try {
    const message = JSON.parse(body) as unknown;
    return typeof message === "object" && message !== null && !Array.isArray(message)
      ? (message as Message)
      : undefined;
  } catch {
    return undefined;
  }
}

export function framed(message: object): string {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

export const ErrorCode = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  notInitialized: -32002,
  requestFailed: -32803,
} as const;

/** Answers a request with an error. */
export class RequestError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

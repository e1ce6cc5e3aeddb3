/**
 * Access control: only the page that the user opened may use the server.
 *
 * The printed address carries a token, which the page exchanges once for a secret and then sends with every request. `Host`
 * must match, so that no foreign name for this machine leads here (DNS rebinding); `Origin` must match, so that no
 * other page can use the browser to talk to us.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { SECRET_HEADER } from "./protocol.js";

export interface Refusal {
  readonly status: number;
  readonly error: string;
}

export class Gate {
  readonly token = randomBytes(32).toString("base64url");
  readonly #secret = randomBytes(32).toString("base64url");
  readonly #hosts: readonly string[];
  #isUsed = false;

  constructor(port: number) {
    this.#hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  }

  /** Why a request is not even looked at. */
  refuses(method: string, headers: IncomingHttpHeaders): Refusal | undefined {
    const { host, origin } = headers;
    if (host === undefined || !this.#hosts.includes(host)) return refusal(403, "foreign host");
    if (origin !== undefined && !this.#hosts.some((own) => origin === `http://${own}`))
      return refusal(403, "foreign origin");
    if (method !== "GET" && origin === undefined) return refusal(403, "no origin");
    const site = headers["sec-fetch-site"];
    if (site === "cross-site" || site === "same-site") return refusal(403, "foreign page");
    return undefined;
  }

  /** The secret for the token, once. */
  exchange(token: unknown): { readonly secret: string } | Refusal {
    if (typeof token !== "string" || !isSame(token, this.token)) return refusal(403, "wrong token");
    if (this.#isUsed) return refusal(403, "the token was used before");
    this.#isUsed = true;
    return { secret: this.#secret };
  }

  /** Reason to refuse a request for private data. */
  refusesSecret(headers: IncomingHttpHeaders): Refusal | undefined {
    const shown = headers[SECRET_HEADER];
    if (shown === undefined) return refusal(401, "no secret");
    return typeof shown === "string" && isSame(shown, this.#secret)
      ? undefined
      : refusal(401, "wrong secret");
  }
}

export const refusal = (status: number, error: string): Refusal => ({ status, error });

/** Compares in constant time. */
function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

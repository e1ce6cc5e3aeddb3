/**
 * `node:http` over the connections of the world (`net.ts`): one connection per request, closed after the response, so
 * faults of connections affect requests.
 *
 * Not supported, and refused by name: persistent connections, upgrades, trailers, `100-continue`.
 *
 * Read `http-server.ts` and `http-client.ts`; both use `http-messages.ts` and `http-parser.ts`.
 */
import { refuse } from "../world/failure.js";
import { ClientRequest, request } from "./http-client.js";
import { IncomingMessage, OutgoingMessage } from "./http-messages.js";
import { lacking, takeOnly } from "./lacking.js";
import { Server, ServerResponse, STATUS_CODES } from "./http-server.js";

export { ClientRequest, IncomingMessage, OutgoingMessage, request, Server, ServerResponse, STATUS_CODES };

export const createServer = (...args: unknown[]): Server => new Server(...args);

export const get = (...args: unknown[]): ClientRequest => request(...args).end();

export const METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

const Lacking = /* @__PURE__ */ lacking(class {}, "http.Agent", {
  methods:
    "createConnection getName addRequest createSocket removeSocket keepSocketAlive reuseSocket on once off emit",
  properties: "requests sockets freeSockets totalSocketCount maxTotalSockets keepAlive",
});

/** Has no effect, since connections are not persistent. */
export class Agent extends Lacking {
  readonly maxSockets = Infinity;
  readonly options: object;

  constructor(options: { readonly keepAlive?: boolean; readonly maxSockets?: number } = {}) {
    if (options.keepAlive) refuse("http.Agent with keepAlive");
    takeOnly("http.Agent", options, "keepAliveMsecs maxFreeSockets scheduling");
    super();
    this.options = options;
  }

  destroy(): void {}
}

export const globalAgent = new Agent();
export const maxHeaderSize = 16_384;

export default {
  Agent,
  ClientRequest,
  IncomingMessage,
  METHODS,
  OutgoingMessage,
  STATUS_CODES,
  Server,
  ServerResponse,
  createServer,
  get,
  globalAgent,
  maxHeaderSize,
  request,
};

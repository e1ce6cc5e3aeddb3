/** `Headers`, `Request`, `Response`, and a `fetch` that refuses until a test makes it a service. */
import { refuse } from "../world/failure.js";
import { TextDecoder, TextEncoder } from "./encoding.js";
import { lacking, takeOnly } from "./lacking.js";

type HeadersLike = Headers | Record<string, string> | Iterable<readonly [string, string]>;

export class Headers {
  get [Symbol.toStringTag](): string {
    return "Headers";
  }

  readonly #map = new Map<string, string>();

  constructor(init: HeadersLike = {}) {
    const pairs =
      Symbol.iterator in init ? (init as Iterable<readonly [string, string]>) : Object.entries(init);
    for (const [name, value] of pairs) this.append(name, value);
  }

  append(name: string, value: string): void {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${value}`);
  }

  set(name: string, value: string): void {
    this.#map.set(name.toLowerCase(), String(value));
  }

  get(name: string): string | null {
    return this.#map.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#map.has(name.toLowerCase());
  }

  delete(name: string): void {
    this.#map.delete(name.toLowerCase());
  }

  getSetCookie(): never {
    return refuse("Headers.getSetCookie");
  }

  forEach(run: (value: string, name: string) => void): void {
    for (const [name, value] of this) run(value, name);
  }

  entries(): IterableIterator<[string, string]> {
    return [...this.#map].sort(([a], [b]) => (a < b ? -1 : 1))[Symbol.iterator]();
  }

  keys(): IterableIterator<string> {
    return [...this].map(([name]) => name)[Symbol.iterator]();
  }

  values(): IterableIterator<string> {
    return [...this].map(([, value]) => value)[Symbol.iterator]();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}

type BodyLike = string | Uint8Array | ArrayBuffer | null | undefined;

/** The body as passed to the constructor. */
export const rawBodyOf = (message: object): BodyLike => WithBody.rawBodyOf(message as WithBody);
/** Delays the body of the message until `arrival` resolves. */
export const arriveBy = (message: object, arrival: () => Promise<void>): void =>
  WithBody.arriveBy(message as WithBody, arrival);

const Lacking = /* @__PURE__ */ lacking(class {}, "Body", { methods: "blob formData" });

/** Without a static block, which the bundler would treat as a side effect and keep in every bundle. */
class WithBody extends Lacking {
  readonly #body: BodyLike;
  #arrival: (() => Promise<void>) | undefined;
  bodyUsed = false;

  static rawBodyOf(message: WithBody): BodyLike {
    return message.#body;
  }

  static arriveBy(message: WithBody, arrival: () => Promise<void>): void {
    message.#arrival = arrival;
  }

  constructor(body: BodyLike) {
    super();
    // Other bodies (streams, forms, parameters) are unsupported.
    if (
      typeof body === "object" &&
      body !== null &&
      !ArrayBuffer.isView(body) &&
      !(body instanceof ArrayBuffer)
    )
      refuse("a body that is neither a text nor bytes");
    this.#body = body;
  }

  async text(): Promise<string> {
    const bytes = await this.#take();
    return typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes);
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text()) as unknown;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer as ArrayBuffer;
  }

  async bytes(): Promise<Uint8Array> {
    const body = await this.#take();
    return typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
  }

  protected shareArrival(copy: WithBody): void {
    copy.#arrival = this.#arrival;
  }

  protected raw(): BodyLike {
    return this.#body;
  }

  async #take(): Promise<string | Uint8Array | ArrayBuffer> {
    if (this.bodyUsed) throw new TypeError("Body is unusable: Body has already been read"); // sound: test/code/conditions.test.ts
    // An absent body cannot be consumed.
    if (this.#body === null || this.#body === undefined) return "";
    this.bodyUsed = true;
    await this.#arrival?.(); // sound: test/code/conditions.test.ts
    return this.#body;
  }

  get body(): null {
    return this.#body === null || this.#body === undefined ? null : refuse("the stream of a body");
  }
}

interface ResponseOptions {
  readonly status?: number;
  readonly statusText?: string;
  readonly headers?: HeadersLike;
}

export class Response extends WithBody {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly url: string = "";
  readonly redirected = false;
  readonly type = "default";

  constructor(body?: BodyLike, { status = 200, statusText = "", headers = {} }: ResponseOptions = {}) {
    super(body);
    if (status < 200 || status > 599) throw new RangeError(`Invalid status code ${status}`);
    if (body !== null && body !== undefined && [204, 205, 304].includes(status))
      throw new TypeError(`Response constructor: Invalid response status code ${status}`);
    this.status = status;
    this.statusText = statusText;
    this.headers = new Headers(headers);
  }

  static json(value: unknown, init: ResponseOptions = {}): Response {
    const headers = new Headers(init.headers);
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
    return new Response(JSON.stringify(value), { ...init, headers });
  }

  static redirect(): never {
    return refuse("Response.redirect");
  }

  static error(): never {
    return refuse("Response.error");
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  clone(): Response {
    if (this.bodyUsed) throw new TypeError("Response.clone: Body has already been consumed.");
    const copy = new Response(this.raw(), this);
    this.shareArrival(copy); // sound: test/code/conditions.test.ts
    return copy;
  }
}

/** Accepted options of a request; some have no effect in a world. */
export const requestOptions =
  "method headers body signal keepalive mode credentials cache referrer referrerPolicy priority window";

interface RequestOptions {
  readonly method?: string;
  readonly headers?: HeadersLike;
  readonly body?: BodyLike;
  readonly signal?: AbortSignal | null;
}

const LackingRequest = /* @__PURE__ */ lacking(WithBody, "Request", {
  methods: "clone",
  properties:
    "destination referrer referrerPolicy mode credentials cache redirect integrity keepalive duplex",
});

export class Request extends LackingRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly signal: AbortSignal | null;

  constructor(input: string | { href: string } | Request, init: RequestOptions = {}) {
    super(init.body ?? (input instanceof Request ? input.raw() : undefined));
    takeOnly("Request", init, requestOptions);
    const from = input instanceof Request ? input : undefined;
    this.url = from?.url ?? String(input);
    this.method = (init.method ?? from?.method ?? "GET").toUpperCase();
    this.headers = new Headers(init.headers ?? from?.headers);
    this.signal = init.signal ?? from?.signal ?? null;
  }
}

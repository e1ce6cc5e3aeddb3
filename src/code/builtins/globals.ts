/** Global names of Node that are created only if the code uses them. */
export { Event, EventTarget, CustomEvent } from "./event-target.js";
export { AbortController, AbortSignal, DOMException } from "./abort.js";
export { TextDecoder, TextEncoder, atob, btoa, structuredClone } from "./encoding.js";
export { Headers, Request, Response } from "./fetch.js";
export { MessageChannel, MessageEvent, MessagePort } from "./message-channel.js";
export { URL, URLSearchParams } from "./web-url.js";
export { Buffer } from "./buffer.js";
export { webcrypto as crypto } from "./crypto.js";

/** Global names of Node that are made only where the code uses them. */
export { Event, EventTarget, CustomEvent } from "./event-target.js";
export { AbortController, AbortSignal, DOMException } from "./abort.js";

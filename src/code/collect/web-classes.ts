/** Global classes of Node that a world instantiates itself. */
export { Event } from "../builtins/event-target.js";
export { arriveBy, rawBodyOf, requestOptions, Response } from "../builtins/fetch.js";
export { takeOnly } from "../builtins/lacking.js";

/** Of the classes that Node has as global names, those that a world makes objects of by itself. */
export { Event } from "../builtins/event-target.js";
export { arriveBy, rawBodyOf, requestOptions, Response } from "../builtins/fetch.js";
export { takeOnly } from "../builtins/lacking.js";

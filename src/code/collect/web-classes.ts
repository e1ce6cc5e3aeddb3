/** Of the classes that Node has as global names, those that a world makes objects of by itself. */
export { Event } from "../builtins/event-target.js";
export { arriveBy, rawBodyOf, Response } from "../builtins/fetch.js";

/** `node:path/posix`. */
export * from "./path.js";
export { default } from "./path.js";

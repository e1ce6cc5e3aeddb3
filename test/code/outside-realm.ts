/** Import first: lets replacements of Node's modules run outside a realm, in this process. */
import { pure } from "../../src/code/realm/pure.js";

Object.defineProperty(globalThis, Symbol.for("everypath.world"), { value: { pure }, configurable: true });

/** Key of a node's description of unfinished work of a step; undefined: none. Runs inside realms, in two bundles. */
export const UNFINISHED: unique symbol = Symbol.for("everypath.unfinished") as never;

/** What a node says, under this key, that its step has left unfinished; undefined: nothing. Runs inside realms, in two bundles. */
export const UNFINISHED: unique symbol = Symbol.for("everypath.unfinished") as never;

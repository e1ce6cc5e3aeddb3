/**
 * Functions of NDLog's run-time libraries. The analysis knows congruence alone: equal arguments give equal values. So a proof is about every
 * meaning of a function, while a violation chooses one, which may be none of these.
 */

/** Their values depend on more than their arguments: congruence is wrong for them, and proofs would be. */
const CHANGING: ReadonlySet<string> = new Set([
  "f_coinflip",
  "f_gettime",
  "f_localtime",
  "f_now",
  "f_rand",
  "f_random",
  "f_time",
  "f_uuid",
]);

/** A library defines them: lists, strings, numbers. */
const DEFINED: ReadonlySet<string> = new Set([
  "f_abs",
  "f_append",
  "f_concat",
  "f_cons",
  "f_contains",
  "f_empty",
  "f_exists",
  "f_first",
  "f_head",
  "f_init",
  "f_initlist",
  "f_intersect",
  "f_isempty",
  "f_isnull",
  "f_item",
  "f_last",
  "f_length",
  "f_list",
  "f_max",
  "f_member",
  "f_merge",
  "f_min",
  "f_pow",
  "f_prepend",
  "f_range",
  "f_removefirst",
  "f_removelast",
  "f_reverse",
  "f_size",
  "f_substr",
  "f_tail",
  "f_tostr",
]);

/** Libraries differ in the case of letters. */
export const isChanging = (name: string): boolean => CHANGING.has(name.toLowerCase());

export const isDefined = (name: string): boolean => DEFINED.has(name.toLowerCase());

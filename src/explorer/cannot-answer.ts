/** A question that has no answer, and why, in words for people. */
export class CannotAnswer extends Error {}

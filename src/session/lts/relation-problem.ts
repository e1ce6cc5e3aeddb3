/** A requested relation would change the answer to a question. */
export class RelationProblem extends Error {}

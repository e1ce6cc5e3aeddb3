/** A property that no rule applies to, or a rule that proves nothing. */
export class LearningProblem extends Error {}

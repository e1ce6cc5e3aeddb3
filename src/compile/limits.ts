/**
 * An indivisible step (`d_step`) that has not ended after so many statements counts as one that cannot go on. Spin's
 * verifier would run for ever there.
 */
export const MOST_STEPS_INSIDE = 1_000_000;

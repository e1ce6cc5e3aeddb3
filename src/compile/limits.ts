/** Statements after which an indivisible step (`d_step`) counts as blocked. Spin's verifier would not terminate. */
export const MOST_STEPS_INSIDE = 1_000_000;

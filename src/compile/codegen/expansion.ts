/**
 * Emits a function that appends the successors that `step` computes. If a successor needs more words, enlarges the buffer
 * and repeats.
 */
export const emitExpansion = (head: string, step: string): string => `function ${head} {
  load(target);
  const first = n, width = stride;
  for (;;) {
    take(state, at, width);
    walk();
    ${step}
    if (neededWidth === 0) break;
    flags.fill(0, first, n);
    out.count = first;
    stride = neededWidth;
    neededWidth = 0; fault = 0; failed = 0; flagged = false; intermediate = false;
    out.widen(stride);
    load(out);
  }
  out.count = n;
  if (flagged) { out.isFlagged = true; flagged = false; }
}`;

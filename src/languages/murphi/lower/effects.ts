import type { LoweredProcedure } from "./context.js";

export const hasEffects = ({ isImpure, writesParameters, formals }: LoweredProcedure): boolean =>
  isImpure || (writesParameters && formals.some(({ isVar }) => isVar));

/**
 * One seed for all random cases of a run, so that a change passes or fails for what it does, not for the day's cases.
 * `SEED=random npm test` takes another one, `SEED=N` repeats it; the `fuzz:*` commands look for new cases.
 */
import fc from "fast-check";

const asked = process.env["SEED"];
if (asked !== "random") fc.configureGlobal({ seed: Number(asked ?? 20_261_118) });

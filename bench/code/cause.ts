/** Attributes a trace to one of the enabled errors, by replaying it with some of them disabled. */
import { replay } from "./checking.js";
import { aodvFile } from "./matrix-errors.js";

/** The necessary error: sufficient alone, or else one of several necessary ones. */
export async function causeOf(
  schedule: string,
  environment: string,
  active: readonly string[],
): Promise<string> {
  const cause = await singleCauseOf(schedule, environment, active);
  if (cause === undefined) throw new Error(`no single error is behind the trace ${schedule}`);
  return cause;
}

/** Undefined: without any single error, another one shows the same. */
export async function singleCauseOf(
  schedule: string,
  environment: string,
  active: readonly string[],
): Promise<string | undefined> {
  // Another error that continues where this one stopped has another ending.
  const end = await endOf(schedule, environment, active);
  const shows = async (errors: readonly string[]): Promise<boolean> =>
    (await endOf(schedule, environment, errors)) === end;
  const cause = (await halved(active, shows)) ?? (await leftOut(active, shows));
  if (cause === undefined || (await shows(active.filter((error) => error !== cause)))) return undefined;
  return cause;
}

/** Result of the trace with these errors, in words. */
export async function endOf(
  schedule: string,
  environment: string,
  errors: readonly string[],
): Promise<string> {
  const { outcome, reason } = await replay(aodvFile, schedule, `${environment} ${errors.join(" ")}`);
  return `${outcome}: ${reason}`;
}

/** Bisects, if one error suffices. */
async function halved(
  errors: readonly string[],
  shows: (errors: readonly string[]) => Promise<boolean>,
): Promise<string | undefined> {
  if (errors.length === 1) return errors[0];
  const middle = errors.length >> 1;
  for (const half of [errors.slice(0, middle), errors.slice(middle)])
    if (await shows(half)) return halved(half, shows);
  return undefined;
}

/** The first necessary error, if several are. */
async function leftOut(
  errors: readonly string[],
  shows: (errors: readonly string[]) => Promise<boolean>,
): Promise<string | undefined> {
  for (const error of errors) if (!(await shows(errors.filter((other) => other !== error)))) return error;
  return undefined;
}

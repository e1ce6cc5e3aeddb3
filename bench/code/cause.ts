/** Which of the errors that are switched on is behind a trace: it is replayed with some of them off. */
import { replay } from "./checking.js";
import { aodvFile } from "./matrix-errors.js";

/** The error that cannot be left out: alone it shows the trace, or else it is one of several without which nothing is shown. */
export async function causeOf(
  schedule: string,
  environment: string,
  active: readonly string[],
): Promise<string> {
  const cause = await singleCauseOf(schedule, environment, active);
  if (cause === undefined) throw new Error(`no single error is behind the trace ${schedule}`);
  return cause;
}

/** Undefined: whichever is left out, another one shows the same. */
export async function singleCauseOf(
  schedule: string,
  environment: string,
  active: readonly string[],
): Promise<string | undefined> {
  // Another error that goes on where this one stopped ends otherwise.
  const end = await endOf(schedule, environment, active);
  const shows = async (errors: readonly string[]): Promise<boolean> =>
    (await endOf(schedule, environment, errors)) === end;
  const cause = (await halved(active, shows)) ?? (await leftOut(active, shows));
  if (cause === undefined || (await shows(active.filter((error) => error !== cause)))) return undefined;
  return cause;
}

/** What the trace comes to with these errors, in words. */
export async function endOf(
  schedule: string,
  environment: string,
  errors: readonly string[],
): Promise<string> {
  const { outcome, reason } = await replay(aodvFile, schedule, `${environment} ${errors.join(" ")}`);
  return `${outcome}: ${reason}`;
}

/** Where one error is enough: half of those in question at a time. */
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

/** Where it takes several: the first that cannot be missed. */
async function leftOut(
  errors: readonly string[],
  shows: (errors: readonly string[]) => Promise<boolean>,
): Promise<string | undefined> {
  for (const error of errors) if (!(await shows(errors.filter((other) => other !== error)))) return error;
  return undefined;
}

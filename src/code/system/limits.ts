/**
 * Limits that replace those of a system file: `--faults crashes=3,loss,propose=100`. Runs inside realms.
 *
 * A name without a number has no limit. `slow`, `flapping` and `skew` choose among executions that the system has
 * anyway, so they change nothing here (`swarm.ts`).
 */
import type { SystemDefinition } from "./define.js";

/** By name; null: without limit. */
export type Limits = Readonly<Record<string, number | null>>;

export const FAULT_NAMES = [
  "loss",
  "duplicates",
  "reorder",
  "crashes",
  "failures",
  "partitions",
  "torn",
  "corruptions",
] as const;
export const SPEED_NAMES = ["slow", "flapping", "skew"] as const;
/** Bounds of a search that are no faults. */
const BOUND_NAMES = ["capacity", "beyond"] as const;

/** Parses `NAME` or `NAME=NUMBER`; undefined: it is neither. */
export function parseLimit(text: string): readonly [name: string, limit: number | null] | undefined {
  const [, name, number] = /^([^=]+?)(?:=(\d+))?$/.exec(text.trim()) ?? [];
  if (name === undefined) return undefined;
  const limit = number === undefined ? null : Number(number);
  return limit === null || limit <= WITHOUT_LIMIT ? [name, limit] : undefined;
}

/** Budgets are fields of 31 bits. */
const WITHOUT_LIMIT = 2 ** 31 - 1;

/** The system with these limits, or the names that mean nothing in it. */
export function withLimits(system: SystemDefinition, limits: Limits): SystemDefinition | readonly string[] {
  const names = Object.keys(limits);
  const { actions = {}, budgets = {} } = system;
  const known: readonly string[] = [...FAULT_NAMES, ...SPEED_NAMES, ...BOUND_NAMES];
  const unknown = names.filter(
    (name) => !known.includes(name) && !Object.hasOwn(actions, name) && !Object.hasOwn(budgets, name),
  );
  if (unknown.length > 0)
    return unknown.map(
      (name) => `--faults: '${name}' is neither a fault nor an action or budget of the system`,
    );
  if (names.length === 0) return system;
  const counted = (name: string): number => limits[name] ?? WITHOUT_LIMIT;
  const chosen = (all: readonly string[]): Record<string, number> =>
    Object.fromEntries(
      all.filter((name) => Object.hasOwn(limits, name)).map((name) => [name, counted(name)]),
    );
  const { discard, ...rest } = system;
  const { capacity, ...network } = system.network ?? {};
  const room = Object.hasOwn(limits, "capacity") ? (limits["capacity"] ?? undefined) : capacity;
  return {
    ...rest,
    ...(discard && !Object.hasOwn(limits, "beyond") ? { discard } : {}),
    network: {
      ...network,
      ...(room === undefined ? {} : { capacity: room }),
      ...(Object.hasOwn(limits, "loss") ? { loss: limits["loss"] ?? true } : {}),
      ...(Object.hasOwn(limits, "reorder") ? { order: "any" } : {}),
      ...chosen(["duplicates"]),
    },
    faults: { ...system.faults, ...chosen(["crashes", "failures", "partitions", "torn", "corruptions"]) },
    budgets: { ...budgets, ...chosen(Object.keys(budgets)) },
    actions: Object.fromEntries(
      Object.entries(actions).map(([name, action]) => {
        if (!Object.hasOwn(limits, name)) return [name, action];
        const { times: _times, ...unlimited } = action;
        const limit = limits[name];
        return [name, limit === null || limit === undefined ? unlimited : { ...unlimited, times: limit }];
      }),
    ),
  };
}

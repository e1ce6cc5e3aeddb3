/** Random systems from a seed. */
import { LtsBuilder, TAU, type Lts } from "../../../src/model/index.js";
import type { Random } from "../../../src/session/index.js";

export interface RandomLtsOptions {
  readonly states: number;
  readonly labels: number;
  readonly transitions: number;
  readonly isDeterministic?: boolean;
}

export function randomLts(random: Random, options: RandomLtsOptions): Lts {
  const builder = new LtsBuilder();
  const labels = ["a", "b", "c", "d"].slice(0, options.labels).map((name) => builder.labels.of(name));
  const taken = new Set<string>();
  for (let i = 0; i < options.transitions; i++) {
    const from = random.below(options.states);
    const action = options.isDeterministic
      ? labels[random.below(labels.length)]
      : [TAU, ...labels][random.below(labels.length + 1)];
    if (options.isDeterministic && taken.has(`${from} ${action}`)) continue;
    taken.add(`${from} ${action}`);
    builder.add(from, action, random.below(options.states));
  }
  return builder.finish(options.states, [0]);
}

/** The sizes vary from empty to dense. */
export function randomSmall(random: Random): Lts {
  const states = 1 + random.below(6);
  return randomLts(random, {
    states,
    labels: 1 + random.below(2),
    transitions: random.below(2 * states + 3),
  });
}

import { randomBelow } from "../../model/chooser.js";
import { Relied, type World } from "./world.js";

/** A number in [0, 1): from the seed, or a choice between evenly spaced values. */
export function randomNumber(world: World): number {
  const { random } = world.options;
  world.drawRandom();
  if ("values" in random) {
    world.rely(Relied.fewRandoms);
    return world.choose(random.values) / random.values;
  }
  world.rely(Relied.seed);
  let below = world.parts.get("random") as ((options: number) => number) | undefined;
  if (!below) world.parts.set("random", (below = randomBelow(random.seed)));
  return below(0x100000000) / 0x100000000;
}

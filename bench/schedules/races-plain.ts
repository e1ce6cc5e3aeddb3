/** The races that wait by `pause` alone, as tests: evaluated in realms, without Node's modules. */
import { everySchedule } from "../../src/testing/code.js";
import { memoryRaces } from "./races/memory.js";
import { orderRaces } from "./races/order.js";

for (const { name, run } of [...memoryRaces, ...orderRaces]) {
  everySchedule(`${name}, buggy`, (world) => run(world, false));
  everySchedule(`${name}, correct`, (world) => run(world, true));
}

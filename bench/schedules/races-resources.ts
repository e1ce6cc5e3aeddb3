/** The races on timers, files, events, connections and services, as tests: evaluated in realms. */
import { everySchedule } from "../../src/testing/code.js";
import { resourceRaces } from "./races/resources.js";

for (const { name, run } of resourceRaces) {
  everySchedule(`${name}, buggy`, (world) => run(world, false));
  everySchedule(`${name}, correct`, (world) => run(world, true));
}

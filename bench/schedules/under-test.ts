/** The snippets as tests: evaluated in realms. */
import { everySchedule } from "../../src/testing/code.js";
import { snippets } from "./snippets.js";

for (const { name, buggy, correct } of snippets) {
  everySchedule(`${name}, buggy`, (world) => buggy((label) => world.pause(label)));
  everySchedule(`${name}, correct`, (world) => correct((label) => world.pause(label)));
}

import { AsyncTask, SimpleIntervalJob, ToadScheduler } from "toad-scheduler";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate } from "./gate.mjs";

everySchedule(
  "with preventOverrun, one run of a task at a time, and none begins after stop",
  async (world) => {
    const scheduler = new ToadScheduler();
    const gate = new Gate(1);
    let [begun, isStopped] = [0, false];
    const task = new AsyncTask("task", () => {
      check(!isStopped, "a run began after stop");
      return gate.pass(() => world.pause(`run ${++begun}`));
    });
    scheduler.addSimpleIntervalJob(
      new SimpleIntervalJob({ milliseconds: 100 }, task, { preventOverrun: true }),
    );
    await world.pause("somebody stops");
    isStopped = true;
    scheduler.stop();
    await world.sleep(300);
    check(begun <= 3, `${begun} runs`);
  },
);

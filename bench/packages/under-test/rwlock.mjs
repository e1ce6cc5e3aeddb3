import ReadWriteLock from "rwlock";
import { everySchedule } from "../../../src/testing/code.js";
import { check } from "./gate.mjs";

everySchedule("a writer excludes everyone, and everyone gets the lock", async (world) => {
  const lock = new ReadWriteLock();
  let [readers, writers, passed] = [0, 0, 0];
  const visit = (kind, name) =>
    new Promise((done) => {
      lock[`${kind}Lock`](async (release) => {
        if (kind === "read") readers++;
        else writers++;
        check(writers <= 1 && (writers === 0 || readers === 0), `${readers} readers and ${writers} writers`);
        await world.pause(`${name} inside`);
        if (kind === "read") readers--;
        else writers--;
        passed++;
        release();
        done();
      });
    });
  await Promise.all([visit("read", "a"), visit("write", "b"), visit("read", "c"), visit("write", "d")]);
  check(passed === 4, `${passed} got in`);
});

everySchedule("a request whose timeout is over gets no lock, and those behind it do", async (world) => {
  const lock = new ReadWriteLock();
  const answers = [];
  const write = (name, options) =>
    new Promise((done) => {
      const onTimeout = () => {
        answers.push(`${name} timed out`);
        done();
      };
      lock.writeLock(
        async (release) => {
          answers.push(name);
          await world.pause(`${name} inside`);
          release();
          done();
        },
        options && { ...options, timeoutCallback: onTimeout },
      );
    });
  await Promise.all([write("a"), write("b"), write("c", { timeout: 10 }), write("d")]);
  check(answers.includes("b") && answers.includes("d"), answers.join());
  check(answers.length === 4 && new Set(answers).size === 4, answers.join());
});

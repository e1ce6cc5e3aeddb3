import pDebounce from "p-debounce";
import { everySchedule } from "../../../src/testing/code.js";
import { check, outcome } from "./gate.mjs";

everySchedule("every caller gets the result of the next run, which has the last arguments", async (world) => {
  const calls = [];
  const get = pDebounce(async (value) => {
    calls.push(value);
    await world.pause(`run ${value}`);
    return value;
  }, 50);
  const ask = (value) => world.pause(`ask ${value}`).then(() => get(value));
  const answers = await Promise.all([ask(1), ask(2), ask(3)].map(outcome));
  check(calls.length >= 1 && calls.length <= 3, `${calls}`);
  check(
    answers.every((answer) => calls.includes(Number(answer.replace("fulfilled ", "")))),
    answers.join(),
  );
});

everySchedule("a call during a run is answered by a later run", async (world) => {
  const begun = [];
  const get = pDebounce(async (value) => {
    begun.push(value);
    await world.pause(`run ${value}`);
    return value;
  }, 50);
  const first = get(1);
  await world.pause("another call");
  const hadBegun = begun.includes(1);
  const answers = await Promise.all([first, get(2)]);
  check(answers[1] === 2 && (!hadBegun || answers[0] === 1), `${answers}, runs ${begun}`);
});

everySchedule("with after, the latest data is never lost", async (world) => {
  const saved = [];
  const save = pDebounce.promise(
    async (data) => {
      await world.pause(`save ${data}`);
      saved.push(data);
      return data;
    },
    { after: true },
  );
  const calls = [1, 2, 3].map((data) => world.pause(`call ${data}`).then(() => (last = data) && save(data)));
  let last;
  await Promise.all(calls);
  check(saved.at(-1) === last, `saved ${saved}, last ${last}`);
});

everySchedule("with after, the latest data is saved although an earlier save fails", async (world) => {
  const saved = [];
  const save = pDebounce.promise(
    async (data) => {
      await world.pause(`save ${data}`);
      if (data === 1) throw new Error("disk full");
      saved.push(data);
    },
    { after: true },
  );
  const first = outcome(save(1));
  const second = outcome(save(2));
  const answers = await Promise.all([first, second]);
  check(saved.includes(2), `saved ${saved}: ${answers}`);
});

everySchedule("with before, every call of a burst gets the value of the leading call", async (world) => {
  const get = pDebounce(
    async (value) => {
      await world.pause(`run ${value}`);
      return value;
    },
    50,
    { before: true },
  );
  const answers = await Promise.all([get(1), get(2)]);
  check(answers.join() === "1,1", `answers ${answers}`);
});

everySchedule("with before, a burst whose leading call fails is rejected as a whole", async (world) => {
  const get = pDebounce(
    async () => {
      await world.pause("run");
      throw new Error("no answer");
    },
    50,
    { before: true },
  );
  const answers = await Promise.all([get(1), get(2)].map(outcome));
  check(
    answers.every((answer) => answer === "rejected no answer"),
    answers.join(),
  );
});

everySchedule("after its signal is aborted, the function is not called", async (world) => {
  const controller = new AbortController();
  const late = [];
  const get = pDebounce(
    async (value) => {
      if (controller.signal.aborted) late.push(value);
      await world.pause(`run ${value}`);
    },
    50,
    { signal: controller.signal },
  );
  const first = outcome(get(1));
  await world.pause("another call");
  const second = outcome(get(2));
  await world.pause("abort");
  controller.abort(new Error("aborted"));
  await Promise.all([first, second]);
  check(late.length === 0, `called with ${late} after the abortion`);
});

/** Order violations, order of commutative answers, and starvation, by `pause` alone. */
import { check, plain, type Race } from "./race.js";

export const orderRaces: readonly Race[] = [
  plain("used before it is connected", "order", async (pause, isCorrect) => {
    let connection: { query(): string } | undefined;
    const connect = async (): Promise<void> => {
      await pause("connect");
      connection = { query: () => "row" };
    };
    const connected = connect();
    const query = async (): Promise<string | undefined> => {
      await pause("request");
      if (isCorrect) await connected;
      return connection?.query();
    };
    check((await query()) === "row", "no connection");
    await connected;
  }),
  plain("an old page", "order", async (pause, isCorrect) => {
    let wanted = "";
    let shown = "";
    const open = async (page: string): Promise<void> => {
      wanted = page;
      await pause(page);
      if (!isCorrect || wanted === page) shown = page;
    };
    await Promise.all([open("/a"), open("/b")]);
    check(shown === "/b", `shows ${shown}`);
  }),
  plain("subscribed too late", "order", async (pause, isCorrect) => {
    const listeners: (() => void)[] = [];
    let wasPublished = false;
    let heard = 0;
    const publish = async (): Promise<void> => {
      await pause("publish");
      wasPublished = true;
      for (const listener of listeners) listener();
    };
    const subscribe = async (): Promise<void> => {
      await pause("subscribe");
      if (isCorrect && wasPublished) heard++;
      else listeners.push(() => heard++);
    };
    await Promise.all([publish(), subscribe()]);
    check(heard === 1, "the news was missed");
  }),
  plain("an answer after the view is closed", "order", async (pause, isCorrect) => {
    const view: { text?: string; isOpen: boolean } = { isOpen: true };
    const load = async (): Promise<void> => {
      await pause("load");
      if (isCorrect && !view.isOpen) return;
      check(view.isOpen, "a closed view is updated");
      view.text = "loaded";
    };
    const close = async (): Promise<void> => {
      await pause("close");
      view.isOpen = false;
    };
    await Promise.all([load(), close()]);
  }),
  plain("closed before it is flushed", "order", async (pause, isCorrect) => {
    const disk: string[] = [];
    let isOpen = true;
    const flush = async (): Promise<void> => {
      await pause("flush");
      if (isOpen) disk.push("line");
    };
    const close = async (pending: Promise<void>): Promise<void> => {
      await pause("close");
      if (isCorrect) await pending;
      isOpen = false;
    };
    const pending = flush();
    await Promise.all([pending, close(pending)]);
    check(disk.length === 1, "the line is lost");
  }),
  plain("two responses to a request", "order", async (pause, isCorrect) => {
    let responses = 0;
    let isSent = false;
    const respond = (): void => {
      if (isCorrect && isSent) return;
      isSent = true;
      responses++;
    };
    const answer = pause("answer").then(respond);
    const timeout = pause("timeout").then(() => {
      if (!isSent) respond();
    });
    await Promise.all([answer, timeout]);
    check(responses === 1, "headers were already sent");
  }),
  plain("steps of a migration", "order", async (pause, isCorrect) => {
    const done: number[] = [];
    const migrate = async (step: number): Promise<void> => {
      await pause(`step ${step}`);
      done.push(step);
    };
    if (isCorrect) for (const step of [1, 2, 3]) await migrate(step);
    else await Promise.all([1, 2, 3].map(migrate));
    check(done.join() === "1,2,3", `ran ${done.join()}`);
  }),
  plain("work that nobody waits for", "order", async (pause, isCorrect) => {
    const written: string[] = [];
    const write = async (text: string): Promise<void> => {
      await pause("write");
      written.push(text);
    };
    const all = ["a", "b"].map(write);
    if (isCorrect) await Promise.all(all);
    else await pause("commit");
    check(written.length === 2, "committed before everything was written");
    await Promise.all(all);
  }),
  plain("a deletion before an insertion", "order", async (pause, isCorrect) => {
    const rows = new Set(["old"]);
    const clear = async (): Promise<void> => {
      await pause("delete");
      rows.clear();
    };
    const insert = async (): Promise<void> => {
      await pause("insert");
      rows.add("new");
    };
    const cleared = clear();
    if (isCorrect) await cleared;
    await insert();
    await cleared;
    check(rows.has("new"), "the new row was deleted");
  }),
  plain("the loser of a race writes", "order", async (pause, isCorrect) => {
    let shown = "";
    const ask = async (server: string): Promise<string> => {
      await pause(server);
      if (!isCorrect) shown = server;
      return server;
    };
    const both = [ask("near"), ask("far")];
    const winner = await Promise.race(both);
    if (isCorrect) shown = winner;
    await Promise.all(both);
    check(shown === winner, `${winner} won, and ${shown} is shown`);
  }),
  plain("a session saved after logout", "order", async (pause, isCorrect) => {
    const sessions = new Map<string, number>([["s", 0]]);
    const touch = async (): Promise<void> => {
      await pause("touch");
      if (!isCorrect || sessions.has("s")) sessions.set("s", 1);
    };
    const logout = async (): Promise<void> => {
      await pause("logout");
      sessions.delete("s");
    };
    await Promise.all([touch(), logout()]);
    check(!sessions.has("s"), "the session lives on");
  }),
  plain("the result of a cancelled job", "order", async (pause, isCorrect) => {
    const job = { isCancelled: false, result: "" };
    const run = async (): Promise<void> => {
      await pause("compute");
      if (!job.isCancelled) await pause("store");
      if (!job.isCancelled || !isCorrect) job.result = "stored";
    };
    const cancel = async (): Promise<void> => {
      await pause("cancel");
      job.isCancelled = true;
      job.result = "";
    };
    await Promise.all([run(), cancel()]);
    check(job.result === "", "a cancelled job has a result");
  }),
  plain("results in the order of their completion", "commutative", async (pause, isCorrect) => {
    const results: string[] = [];
    const fetchAll = ["a", "b", "c"].map(async (name, index) => {
      await pause(name);
      if (isCorrect) results[index] = name;
      else results.push(name);
    });
    await Promise.all(fetchAll);
    check(results.join("") === "abc", `in the order ${results.join("")}`);
  }),
  plain("the counter is zero before all have started", "commutative", async (pause, isCorrect) => {
    let [left, isDone, finished] = [isCorrect ? 2 : 0, false, 0];
    const work = async (name: string): Promise<void> => {
      if (!isCorrect) {
        await pause(`start ${name}`);
        left++;
      }
      await pause(name);
      finished++;
      if (--left === 0) {
        check(!isDone, "finished twice");
        isDone = true;
      }
    };
    await Promise.all([work("a"), work("b")]);
    check(finished === 2, "not all finished");
  }),
  plain("the last one that began ends it", "commutative", async (pause, isCorrect) => {
    const parts: number[] = [];
    let report = "";
    await Promise.all(
      [1, 2, 3].map(async (part) => {
        await pause(`part ${part}`);
        parts.push(part);
        if (isCorrect ? parts.length === 3 : part === 3) report = `${parts.length} parts`;
      }),
    );
    check(report === "3 parts", `the report has ${report}`);
  }),
  plain("the first error hides the important one", "commutative", async (pause, isCorrect) => {
    const errors: string[] = [];
    const step = async (error: string): Promise<void> => {
      await pause(error);
      errors.push(error);
    };
    await Promise.all([step("fatal"), step("warning")]);
    const told = isCorrect ? errors.find((error) => error === "fatal") : errors[0];
    check(told === "fatal", `only the ${told} is told`);
  }),
  plain("a worker leaves as a job arrives", "starvation", async (pause, isCorrect) => {
    const queue = ["a"];
    let isBusy = false;
    let done = 0;
    const drain = async (): Promise<void> => {
      if (isBusy) return;
      isBusy = true;
      while (queue.shift() !== undefined) {
        await pause("work");
        done++;
      }
      if (!isCorrect) await pause("idle");
      isBusy = false;
    };
    const submit = async (): Promise<void> => {
      await pause("submit");
      queue.push("b");
      await drain();
    };
    await Promise.all([drain(), submit()]);
    check(done === 2, "a job waits for ever");
  }),
  plain("a wake-up before the sleeper sleeps", "starvation", async (pause, isCorrect) => {
    let wake: (() => void) | undefined;
    let isReady = false;
    let wasServed = false;
    const consume = async (): Promise<void> => {
      await pause("prepare");
      if (isCorrect && isReady) return void (wasServed = true);
      wake = () => void (wasServed = true);
    };
    const produce = async (): Promise<void> => {
      await pause("produce");
      isReady = true;
      wake?.();
    };
    await Promise.all([consume(), produce()]);
    check(wasServed, "the sleeper was not woken");
  }),
];

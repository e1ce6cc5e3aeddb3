/** Races on shared variables: atomicity and order violations that wait by `pause` alone, so fast-check can express them. */
import { check, makeLock, plain, type Race } from "./race.js";

export const memoryRaces: readonly Race[] = [
  plain("a counter", "atomicity", async (pause, isCorrect) => {
    let count = 0;
    const add = async (): Promise<void> => {
      if (isCorrect) {
        await pause("add");
        count++;
        return;
      }
      const before = count;
      await pause("add");
      count = before + 1;
    };
    await Promise.all([add(), add()]);
    check(count === 2, `counted ${count}`);
  }),
  plain("a unique name", "atomicity", async (pause, isCorrect) => {
    const users: string[] = [];
    const lock = makeLock();
    const register = async (name: string): Promise<void> => {
      await pause("look up");
      const isTaken = users.includes(name);
      await pause("insert");
      if (!isTaken) users.push(name);
    };
    const guarded = (name: string): Promise<void> =>
      isCorrect ? lock(() => register(name)) : register(name);
    await Promise.all([guarded("ann"), guarded("ann")]);
    check(users.length === 1, "two users of one name");
  }),
  plain("a seat", "atomicity", async (pause, isCorrect) => {
    const seats = new Map<number, string>();
    const book = async (who: string): Promise<boolean> => {
      if (seats.has(1)) return false;
      if (isCorrect) seats.set(1, who);
      await pause("pay");
      seats.set(1, who);
      return true;
    };
    const booked = await Promise.all([book("ann"), book("bob")]);
    check(booked.filter(Boolean).length === 1, "the seat is sold twice");
  }),
  plain("a coupon", "atomicity", async (pause, isCorrect) => {
    const coupon = { uses: 1 };
    const redeem = async (): Promise<number> => {
      await pause("validate");
      if (coupon.uses === 0) return 0;
      if (isCorrect) coupon.uses--;
      await pause("discount");
      if (!isCorrect) coupon.uses--;
      return 10;
    };
    const [a, b] = await Promise.all([redeem(), redeem()]);
    check(a + b <= 10, "one coupon is redeemed twice");
  }),
  plain("settings merged from a snapshot", "atomicity", async (pause, isCorrect) => {
    let settings: Record<string, number> = {};
    const save = async (change: Record<string, number>): Promise<void> => {
      const seen = settings;
      await pause("validate");
      settings = { ...(isCorrect ? settings : seen), ...change };
    };
    await Promise.all([save({ a: 1 }), save({ b: 2 })]);
    check(settings["a"] === 1 && settings["b"] === 2, "a setting is lost");
  }),
  plain("numbers of invoices", "atomicity", async (pause, isCorrect) => {
    let last = 0;
    const issued: number[] = [];
    const issue = async (): Promise<void> => {
      const mine = isCorrect ? ++last : last + 1;
      await pause("render");
      last = Math.max(last, mine);
      issued.push(mine);
    };
    await Promise.all([issue(), issue()]);
    check(new Set(issued).size === 2, "two invoices of one number");
  }),
  plain("an audit during a transfer", "atomicity", async (pause, isCorrect) => {
    const accounts = { a: 10, b: 0 };
    const transfer = async (): Promise<void> => {
      await pause("authorise");
      accounts.a -= 5;
      if (!isCorrect) await pause("log");
      accounts.b += 5;
    };
    const audit = async (): Promise<void> => {
      await pause("audit");
      check(accounts.a + accounts.b === 10, "money is missing");
    };
    await Promise.all([transfer(), audit()]);
  }),
  plain("a rate limit", "atomicity", async (pause, isCorrect) => {
    let used = 0;
    let passed = 0;
    const request = async (): Promise<void> => {
      if (used >= 1) return;
      if (isCorrect) used++;
      await pause("record");
      if (!isCorrect) used++;
      passed++;
    };
    await Promise.all([request(), request()]);
    check(passed <= 1, "more requests than the limit");
  }),
  plain("a token refreshed twice", "atomicity", async (pause, isCorrect) => {
    let valid = "t0";
    let token = "t0";
    let issued = 0;
    let refreshing: Promise<void> | undefined;
    const refresh = async (): Promise<void> => {
      const fresh = `t${++issued}`;
      valid = fresh;
      await pause("refresh");
      token = fresh;
    };
    const use = (): Promise<void> => (isCorrect ? (refreshing ??= refresh()) : refresh());
    await Promise.all([use(), use()]);
    check(token === valid, "the stored token was revoked");
  }),
  plain("a list that shrinks while it is walked", "atomicity", async (pause, isCorrect) => {
    const jobs = ["a", "b", "c"];
    const seen: string[] = [];
    const walk = async (): Promise<void> => {
      const list = isCorrect ? [...jobs] : jobs;
      for (let i = 0; i < list.length; i++) {
        await pause("visit");
        seen.push(list[i]!);
      }
    };
    const remove = async (): Promise<void> => {
      await pause("remove");
      jobs.shift();
    };
    await Promise.all([walk(), remove()]);
    check(seen.includes("b") && seen.every(Boolean), "a job was skipped");
  }),
  plain("a cart and its total", "atomicity", async (pause, isCorrect) => {
    const cart = { items: [] as number[], total: 0 };
    const add = async (price: number): Promise<void> => {
      if (isCorrect) await pause("price");
      cart.items.push(price);
      const total = cart.items.reduce((sum, each) => sum + each, 0);
      if (!isCorrect) await pause("price");
      cart.total = total;
    };
    await Promise.all([add(1), add(2)]);
    check(cart.total === 3, "the total is of another cart");
  }),
  plain("a stock read by two", "atomicity", async (pause, isCorrect) => {
    let stock = 3;
    const lock = makeLock();
    const take = async (n: number): Promise<void> => {
      await pause("read");
      const seen = stock;
      await pause("write");
      if (seen >= n) stock = seen - n;
    };
    await Promise.all([1, 2].map((n) => (isCorrect ? lock(() => take(n)) : take(n))));
    check(stock === 0, `${stock} are left`);
  }),
  plain("a failed load that clears a newer one", "atomicity", async (pause, isCorrect) => {
    const cache = new Map<string, object>();
    const load = async (fails: boolean): Promise<void> => {
      const entry = {};
      cache.set("k", entry);
      await pause(fails ? "fail" : "load");
      if (fails && (!isCorrect || cache.get("k") === entry)) cache.delete("k");
    };
    await Promise.all([load(true), load(false)]);
    check(cache.has("k"), "the newer entry is gone");
  }),
  plain("a lock released by another", "atomicity", async (pause, isCorrect) => {
    let holder = 0;
    let inside = 0;
    const work = async (me: number): Promise<void> => {
      await pause("ask");
      if (holder === 0) holder = me;
      const hasIt = holder === me;
      if (hasIt) {
        check(++inside === 1, "two are inside");
        await pause("work");
        inside--;
      }
      if (hasIt || !isCorrect) holder = 0;
    };
    await Promise.all([work(1), work(2), work(3)]);
  }),
];

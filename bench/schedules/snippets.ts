/**
 * Thirteen small pieces of async code, each in a buggy and a correct version, fixed before any measurement.
 *
 * Each is a function of a `Pause`: it waits for the outside world by `pause(label)`, which either tool completes in any
 * order. It throws if its property is violated. The last column of the table is the number of completions that the
 * failing order constrains.
 */

/** Completed by the tool, in some order. */
export type Pause = (label: string) => Promise<void>;

export interface Snippet {
  readonly name: string;
  /** Number of completions that a failing order must place. */
  readonly needs: number;
  buggy(pause: Pause): Promise<void>;
  correct(pause: Pause): Promise<void>;
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new Error(message);
}

/** A lock with a FIFO queue. */
function makeLock(): <T>(run: () => Promise<T>) => Promise<T> {
  let tail: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = tail.then(run);
    tail = result.catch(() => {});
    return result;
  };
}

type Guard = <T>(run: () => Promise<T>) => Promise<T>;
const unguarded: Guard = (run) => run();

const overdraft = async (pause: Pause, guard: Guard): Promise<void> => {
  let balance = 100;
  const withdraw = (who: string): Promise<void> =>
    guard(async () => {
      await pause(`${who} read`);
      const seen = balance;
      await pause(`${who} write`);
      if (seen >= 70) balance -= 70;
    });
  await Promise.all([withdraw("a"), withdraw("b")]);
  check(balance >= 0, "overdrawn");
};

const search = async (pause: Pause, keepsLatest: boolean): Promise<void> => {
  let shown = "";
  let latest = 0;
  const type = async (text: string): Promise<void> => {
    const mine = ++latest;
    await pause(`search ${text}`);
    if (!keepsLatest || mine === latest) shown = text;
  };
  await Promise.all([type("a"), type("ab"), type("abc")]);
  check(shown === "abc", `shows ${shown}`);
};

const stampede = async (pause: Pause, sharesPending: boolean): Promise<void> => {
  const cache = new Map<string, Promise<number> | number>();
  let loads = 0;
  const get = async (key: string): Promise<number> => {
    const known = cache.get(key);
    if (known !== undefined) return known;
    const load = (async () => {
      loads++;
      await pause("load");
      return 1;
    })();
    if (sharesPending) cache.set(key, load);
    const value = await load;
    cache.set(key, value);
    return value;
  };
  const asker = async (who: string): Promise<void> => {
    await pause(who);
    await get("k");
  };
  await Promise.all([asker("first"), asker("second")]);
  check(loads === 1, `${loads} loads`);
};

const initialise = async (pause: Pause, once: boolean): Promise<void> => {
  let connection: Promise<object> | undefined;
  let opened = 0;
  const connect = async (): Promise<object> => {
    await pause("connect");
    opened++;
    return {};
  };
  let ready: object | undefined;
  const use = async (): Promise<void> => {
    if (once) await (connection ??= connect());
    else ready ??= await connect();
  };
  await Promise.all([use(), use()]);
  check(opened === 1, `${opened} connections`);
};

/** A step counts only at its position; the correct version buffers early ones. */
const orderOfFive = async (pause: Pause, buffers: boolean): Promise<void> => {
  const bad = ["e", "a", "d", "b", "c"];
  const seen: string[] = [];
  await Promise.all(
    ["a", "b", "c", "d", "e"].map(async (name) => {
      await pause(name);
      seen.push(name);
    }),
  );
  const state = buffers ? seen.toSorted() : seen;
  check(state.join() !== bad.join(), "five events in the one order that breaks it");
};

const reordered = async (pause: Pause, sorts: boolean): Promise<void> => {
  const parts: [number, string][] = [];
  await Promise.all(
    ["h", "e", "l", "l", "o"].map(async (text, index) => {
      await pause(`part ${index}`);
      parts.push([index, text]);
    }),
  );
  if (sorts) parts.sort(([a], [b]) => a - b);
  // The receiver tolerates swapped neighbours, but not a part that comes four places early.
  check(parts[0]![0] !== 4 || parts[1]![0] !== 3 || parts[2]![0] !== 0, "parts out of order");
};

/** Open, sign in, expire, close, refresh, each by a message: a closed session must stay closed. */
const session = async (pause: Pause, keepsClosed: boolean): Promise<void> => {
  let state = "new";
  const moves: Record<string, (now: string) => string> = {
    open: (now) => (now === "new" ? "open" : now),
    signIn: (now) => (now === "open" ? "signed in" : now),
    expire: (now) => (now === "signed in" ? "expired" : now),
    close: (now) => (now === "expired" ? "closed" : now),
    refresh: (now) => (now === "expired" || (now === "closed" && !keepsClosed) ? "signed in" : now),
  };
  let wasClosed = false;
  await Promise.all(
    Object.entries(moves).map(async ([name, move]) => {
      await pause(name);
      state = move(state);
      wasClosed ||= state === "closed";
    }),
  );
  check(!wasClosed || state === "closed", `a closed session is ${state}`);
};

/** A paid order must not expire: otherwise its item is both restocked and shipped. */
const order = async (pause: Pause, keepsPaid: boolean): Promise<void> => {
  let state = "new";
  let isPaid = false;
  let stock = 1;
  const on = async (name: string, run: () => void): Promise<void> => {
    await pause(name);
    run();
  };
  await Promise.all([
    on("reserve", () => {
      if (state === "new") [state, stock] = ["reserved", 0];
    }),
    on("pay", () => {
      if (state === "reserved") [state, isPaid] = ["paid", true];
    }),
    on("expire", () => {
      if (state === "paid" ? !keepsPaid : state === "reserved") state = "expired";
    }),
    on("restock", () => {
      if (state === "expired") [state, stock] = ["restocked", 1];
    }),
    on("ship", () => {
      if (isPaid && (state === "paid" || state === "restocked")) state = "shipped";
    }),
  ]);
  check(state !== "shipped" || stock === 0, "shipped, and still in stock");
};

const bank = async (pause: Pause, guard: Guard): Promise<void> => {
  const accounts = { a: 10, b: 10, c: 10 };
  const transfer = (from: "a" | "b" | "c", to: "a" | "b" | "c"): Promise<void> =>
    guard(async () => {
      await pause(`${from} to ${to}: read`);
      const [x, y] = [accounts[from], accounts[to]];
      await pause(`${from} to ${to}: write`);
      accounts[from] = x - 5;
      accounts[to] = y + 5;
    });
  await Promise.all([transfer("a", "b"), transfer("b", "c"), transfer("c", "a")]);
  check(accounts.a + accounts.b + accounts.c === 30, "money was made or lost");
};

const lazyClose = async (pause: Pause, waits: boolean): Promise<void> => {
  let isOpen = true;
  let writes = 0;
  const write = async (): Promise<void> => {
    await pause("write");
    check(isOpen, "write after close");
    writes++;
  };
  const all = [write(), write(), write(), write()];
  const close = async (): Promise<void> => {
    await pause("close");
    if (waits) await Promise.all(all);
    isOpen = false;
  };
  await Promise.all([...all, close()]);
  check(writes === 4, "four writes");
};

const retry = async (pause: Pause, isIdempotent: boolean): Promise<void> => {
  const done = new Set<number>();
  let charged = 0;
  const charge = async (id: number, attempt: number): Promise<void> => {
    await pause(`charge ${attempt}`);
    if (isIdempotent && done.has(id)) return;
    done.add(id);
    charged++;
  };
  const first = charge(1, 1);
  let isAnswered = false;
  void first.then(() => (isAnswered = true));
  await pause("timeout");
  if (!isAnswered) await charge(1, 2);
  await first;
  check(charged === 1, `charged ${charged} times`);
};

const pool = async (pause: Pause, takesFirst: boolean): Promise<void> => {
  const free = ["connection"];
  const waiting: ((connection: string) => void)[] = [];
  const take = async (): Promise<string | undefined> => {
    if (free.length === 0) return new Promise((resolve) => waiting.push(resolve));
    if (takesFirst) {
      const taken = free.pop();
      await pause("validate");
      return taken;
    }
    await pause("validate");
    return free.pop();
  };
  const give = (connection: string): void => {
    const next = waiting.shift();
    if (next) next(connection);
    else free.push(connection);
  };
  const use = async (who: string): Promise<void> => {
    await pause(`${who} asks`);
    const connection = await take();
    check(connection !== undefined, "no connection was handed out");
    await pause(`${who} works`);
    give(connection!);
  };
  await Promise.all([use("a"), use("b")]);
};

/** An editor that saves periodically: text typed during a save must be saved by the next one. */
const edits = async (pause: Pause, clearsFirst: boolean): Promise<void> => {
  let [text, stored, isDirty] = [0, 0, false];
  const save = async (): Promise<void> => {
    if (!isDirty) return;
    const saved = text;
    if (clearsFirst) isDirty = false;
    await pause("save");
    stored = saved;
    isDirty &&= clearsFirst;
  };
  const type = async (): Promise<void> => {
    for (const n of [1, 2]) {
      await pause(`type ${n}`);
      [text, isDirty] = [n, true];
    }
  };
  const autosave = async (): Promise<void> => {
    for (const n of [1, 2]) {
      await pause(`tick ${n}`);
      await save();
    }
  };
  await Promise.all([type(), autosave()]);
  await save();
  check(stored === text, "the last edit is lost");
};

export const snippets: readonly Snippet[] = [
  make("overdraft", 4, overdraft, unguarded, makeLock),
  flagged("search as you type", 3, search),
  flagged("cache stampede", 4, stampede),
  flagged("double initialisation", 2, initialise),
  flagged("one order of five events", 5, orderOfFive),
  flagged("parts of a message", 5, reordered),
  flagged("a closed session", 5, session),
  flagged("a paid order", 5, order),
  make("three transfers", 6, bank, unguarded, makeLock),
  flagged("write after close", 2, lazyClose),
  flagged("retry charges twice", 3, retry),
  flagged("connection pool", 4, pool),
  flagged("an edit while saving", 5, edits),
];

function flagged(
  name: string,
  needs: number,
  run: (pause: Pause, isCorrect: boolean) => Promise<void>,
): Snippet {
  return { name, needs, buggy: (pause) => run(pause, false), correct: (pause) => run(pause, true) };
}

function make(
  name: string,
  needs: number,
  run: (pause: Pause, guard: Guard) => Promise<void>,
  buggy: Guard,
  correct: () => Guard,
): Snippet {
  return { name, needs, buggy: (pause) => run(pause, buggy), correct: (pause) => run(pause, correct()) };
}

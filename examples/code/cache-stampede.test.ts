// Three caches in front of a slow service: one does not coalesce requests, one caches failures, one is correct.
// expected "one request per caller": violated (assertion), 3 turns
// expected "a failure is kept": violated (exception), 1 turns
// expected "asked once, and again after a failure": holds
import { expect } from "vitest";
import { everySchedule } from "everypath/vitest";

type Load = (key: string) => Promise<string>;

class Cache {
  readonly #known = new Map<string, Promise<string>>();
  readonly #load: Load;

  constructor(load: Load) {
    this.#load = load;
  }

  get(key: string): Promise<string> {
    const known = this.#known.get(key);
    if (known) return known;
    const value = this.#load(key);
    this.#known.set(key, value);
    this.watch(key, value, this.#known);
    return value;
  }

  /** Retries after a failure. */
  protected watch(key: string, value: Promise<string>, known: Map<string, Promise<string>>): void {
    value.catch(() => known.delete(key));
  }
}

/** Caches a rejected promise like a value. */
class GrudgingCache extends Cache {
  protected override watch(_key: string, value: Promise<string>): void {
    value.catch(() => undefined);
  }
}

/** Caches values, but not pending requests. */
class StampedingCache {
  readonly #known = new Map<string, string>();
  readonly #load: Load;

  constructor(load: Load) {
    this.#load = load;
  }

  async get(key: string): Promise<string> {
    if (!this.#known.has(key)) this.#known.set(key, await this.#load(key));
    return this.#known.get(key)!;
  }
}

everySchedule("one request per caller", async (world) => {
  let asked = 0;
  const load = world.service("load", (key: string) => `${key} ${++asked}`, { effect: "call" });
  const cache = new StampedingCache(load);
  await Promise.all([cache.get("price"), cache.get("price"), cache.get("price")]);
  expect(asked).toBe(1);
});

everySchedule("a failure is kept", async (world) => {
  const load = world.service("load", (key: string) => key, { effect: "call", fails: 1 });
  const cache = new GrudgingCache(load);
  await cache.get("price").catch(() => undefined);
  expect(await cache.get("price")).toBe("price");
});

everySchedule("asked once, and again after a failure", async (world) => {
  let asked = 0;
  const load = world.service("load", (key: string) => `${key} ${++asked}`, { effect: "call", fails: 1 });
  const cache = new Cache(load);
  const [one, other] = await Promise.allSettled([cache.get("price"), cache.get("price")]);
  expect(one).toEqual(other);
  const later = await cache.get("price");
  if (one!.status === "fulfilled") expect([later, asked]).toEqual([one.value, 1]);
});

/** Races on timers, files, events, connections and services that fail: beyond a scheduler of promises. */
import { createSocket } from "node:dgram";
import { EventEmitter } from "node:events";
import { promises as fs } from "node:fs";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import type { ScheduleWorld } from "../../../src/testing/code.js";
import { check, makeLock, race, type Race } from "./race.js";

export const resourceRaces: readonly Race[] = [
  race("a timeout that is not cleared", "order", "timers", async (world, isCorrect) => {
    let current = 0;
    const blamed: (readonly [number, number])[] = [];
    const request = async (id: number): Promise<void> => {
      current = id;
      const timer = setTimeout(() => {
        if (current !== 0) blamed.push([id, current]);
      }, 100);
      await world.pause(`answer ${id}`);
      if (isCorrect) clearTimeout(timer);
      current = 0;
    };
    await request(1);
    await request(2);
    check(
      blamed.every(([id, other]) => id === other),
      "a request failed by the timeout of another",
    );
  }),
  race("an edit that is never saved", "order", "timers", async (world, isCorrect) => {
    let [text, saved] = ["", ""];
    let timer: NodeJS.Timeout | undefined;
    const save = (): void => void (saved = text);
    const type = (value: string): void => {
      text = value;
      clearTimeout(timer);
      timer = setTimeout(save, 50);
    };
    type("a");
    await world.pause("close");
    clearTimeout(timer);
    if (isCorrect) save();
    check(saved === "a", "the edit is lost");
  }),
  race("a session expires while it is renewed", "atomicity", "timers", async (world, isCorrect) => {
    let isAlive = true;
    let timer = setTimeout(() => void (isAlive = false), 100);
    const renew = async (): Promise<boolean> => {
      if (isCorrect) clearTimeout(timer);
      await world.pause("renew");
      clearTimeout(timer);
      timer = setTimeout(() => {}, 100);
      return true;
    };
    const renewed = await renew();
    check(isAlive === renewed, "a renewed session is dead");
    clearTimeout(timer);
  }),
  race("an old expiry removes a new entry", "order", "timers", async (world, isCorrect) => {
    const cache = new Map<string, object>();
    const expired = new Set<object>();
    const put = (): object => {
      const entry = {};
      cache.set("k", entry);
      setTimeout(() => {
        expired.add(entry);
        if (!isCorrect || cache.get("k") === entry) cache.delete("k");
      }, 10);
      return entry;
    };
    put();
    await world.pause("put again");
    const entry = put();
    await world.pause("read");
    check(cache.get("k") === entry || expired.has(entry), "the new entry expired with the old one");
  }),
  race("a poll that overlaps itself", "atomicity", "timers", async (world, isCorrect) => {
    let running = 0;
    let polls = 0;
    const poll = async (): Promise<void> => {
      if (isCorrect && running > 0) return;
      check(++running === 1, "two polls at once");
      await world.pause("poll");
      running--;
    };
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (++polls === 2) {
          clearInterval(timer);
          resolve();
        }
        void poll();
      }, 10);
    });
  }),
  race("a file read while it is written", "atomicity", "files", async (world, isCorrect) => {
    world.files.write("/config", "old");
    const save = async (): Promise<void> => {
      if (!isCorrect) return fs.writeFile("/config", "new");
      await fs.writeFile("/config.tmp", "new");
      await fs.rename("/config.tmp", "/config");
    };
    const [text] = await Promise.all([fs.readFile("/config", "utf8"), save()]);
    check(text === "old" || text === "new", `read ${JSON.stringify(text)}`);
  }),
  race("a folder made twice", "atomicity", "files", async (_world, isCorrect) => {
    const make = async (): Promise<void> => {
      if (isCorrect) return void (await fs.mkdir("/tmp/cache", { recursive: true }));
      const isThere = await fs.access("/tmp/cache").then(
        () => true,
        () => false,
      );
      if (!isThere) await fs.mkdir("/tmp/cache");
    };
    await Promise.all([make(), make()]);
  }),
  race("a line appended by reading and writing", "atomicity", "files", async (world, isCorrect) => {
    world.files.write("/log", "");
    const lock = makeLock();
    const append = async (line: string): Promise<void> => {
      const text = await fs.readFile("/log", "utf8");
      await fs.writeFile("/log", text + line);
    };
    await Promise.all(["a", "b"].map((line) => (isCorrect ? lock(() => append(line)) : append(line))));
    check(world.files.read("/log")?.length === 2, "a line is lost");
  }),
  race("a temporary file of one name", "atomicity", "files", async (world, isCorrect) => {
    const store = async (key: string): Promise<void> => {
      const temporary = isCorrect ? `/tmp/${key}.part` : "/tmp/part";
      await fs.writeFile(temporary, key);
      await fs.rename(temporary, `/tmp/${key}`);
    };
    await Promise.all([store("a"), store("b")]);
    check(world.files.read("/tmp/a") === "a" && world.files.read("/tmp/b") === "b", "mixed up");
  }),
  race("removed after it was found", "order", "files", async (world, isCorrect) => {
    world.files.write("/tmp/lock", "");
    const remove = async (): Promise<void> => {
      try {
        await fs.unlink("/tmp/lock");
      } catch (error) {
        if (!isCorrect || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      }
    };
    await Promise.all([remove(), remove()]);
  }),
  race("ready before anybody listens", "order", "events", async (world, isCorrect) => {
    const source = Object.assign(new EventEmitter(), { isReady: false });
    source.on("ready", () => void (source.isReady = true));
    world.emit(source, "ready");
    await world.pause("prepare");
    if (isCorrect && source.isReady) return;
    await new Promise<void>((resolve) => void source.once("ready", () => resolve()));
  }),
  race("an error before its listener", "order", "events", async (world, isCorrect) => {
    const socket = new EventEmitter();
    let problem: unknown;
    const listen = (): void => void socket.on("error", (error) => (problem = error));
    if (isCorrect) listen();
    world.emit(socket, "error", new Error("reset"));
    await world.pause("authenticate");
    if (!isCorrect) listen();
    check(problem === undefined || problem instanceof Error, "not an error");
  }),
  race("the end is told twice", "order", "events", async (world, isCorrect) => {
    const [stream, request] = [new EventEmitter(), new EventEmitter()];
    let [ends, isOver] = [0, false];
    const end = (): void => {
      if (isCorrect && isOver) return;
      isOver = true;
      ends++;
    };
    stream.on("end", end);
    request.on("close", () => {
      if (!isCorrect || !isOver) end();
    });
    world.emit(stream, "end");
    world.emit(request, "close");
    await Promise.all([world.pause(), new Promise<void>((resolve) => stream.once("end", () => resolve()))]);
    await world.pause();
    check(ends <= 1, `the end was told ${ends} times`);
  }),
  race("a message cut by the network", "order", "network", async (world, isCorrect) => {
    const got: string[] = [];
    let left = "";
    await served(world, (text) => {
      if (!isCorrect) return void got.push(text);
      left += text;
      const lines = left.split("\n");
      left = lines.pop()!;
      got.push(...lines.map((line) => `${line}\n`));
    });
    check(got.join("|") === "ab\n", `got ${JSON.stringify(got)}`);
  }),
  race("an older datagram arrives later", "order", "network", async (_world, isCorrect) => {
    let [version, value] = [0, ""];
    const receiver = createSocket("udp4");
    let seen = 0;
    const all = new Promise<void>((resolve) => {
      receiver.on("message", (bytes) => {
        const [number, text] = bytes.toString().split(":") as [string, string];
        if (!isCorrect || Number(number) > version) [version, value] = [Number(number), text];
        if (++seen === 2) resolve();
      });
    });
    await new Promise<void>((resolve) => void receiver.bind(5000, "127.0.0.1", () => resolve()));
    const sender = createSocket("udp4");
    sender.send("1:old", 5000, "127.0.0.1");
    sender.send("2:new", 5000, "127.0.0.1");
    await all;
    sender.close();
    receiver.close();
    check(value === "new", `kept the ${value} value`);
  }),
  race("a lock kept by a failure", "starvation", "services", async (world, isCorrect) => {
    const call = world.service("call", () => 1, { effect: "call", fails: 1 });
    const waiting: (() => void)[] = [];
    let isTaken = false;
    const take = (): Promise<void> =>
      isTaken ? new Promise((resolve) => void waiting.push(resolve)) : Promise.resolve(void (isTaken = true));
    const give = (): void => {
      const next = waiting.shift();
      if (next) next();
      else isTaken = false;
    };
    const work = async (): Promise<void> => {
      await take();
      if (!isCorrect) {
        await call();
        return give();
      }
      try {
        await call();
      } finally {
        give();
      }
    };
    await Promise.allSettled([work(), work()]);
  }),
  race("a payment that is repeated", "atomicity", "services", async (world, isCorrect) => {
    const paid: string[] = [];
    const pay = world.service(
      "pay",
      (key: string) => {
        if (!isCorrect || !paid.includes(key)) paid.push(key);
      },
      { effect: "call", fails: 1 },
    );
    await pay("k").catch(() => pay("k"));
    check(paid.length === 1, `paid ${paid.length} times`);
  }),
  race("a failure that is cached", "order", "services", async (world, isCorrect) => {
    const load = world.service("load", () => 1, { effect: "call", fails: 1 });
    const cache = new Map<string, Promise<number>>();
    const get = (): Promise<number> => {
      const known = cache.get("k");
      if (known) return known;
      const fresh = load();
      cache.set("k", fresh);
      if (isCorrect) fresh.catch(() => cache.delete("k"));
      return fresh;
    };
    await get().catch(() => 0);
    await world.pause("later");
    check((await get().catch(() => 0)) === 1, "the failure is kept");
  }),
];

/** A client sends one line, which the network may split. */
async function served(world: ScheduleWorld, onText: (text: string) => void): Promise<void> {
  world.network.maySplit(1);
  await new Promise<void>((resolve) => {
    const server = createServer((socket) => {
      socket.on("data", (bytes) => onText(bytes.toString()));
      socket.on("end", () => {
        socket.end();
        server.close();
        resolve();
      });
    });
    server.listen(0, "127.0.0.1", () => {
      connect((server.address() as AddressInfo).port, "127.0.0.1")
        .resume()
        .end("ab\n");
    });
  });
}

/** The parts of the delta store: links, their numbers and words in pages; quick, for mutation testing. */
import { describe, expect, test } from "vitest";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import { LinkColumn } from "../../../src/engines/explicit/stores/link-column.js";
import { DifferenceLinks } from "../../../src/engines/explicit/stores/links.js";
import { PagedWords } from "../../../src/engines/explicit/stores/paged.js";
import { RecentStates } from "../../../src/engines/explicit/stores/recent.js";
import { generator } from "./keys.js";

class Counting extends Ledger {
  asked = 0;
  refused = 0;

  override allocate(words: number): Int32Array<ArrayBuffer> | undefined {
    return ++this.asked === this.refused ? undefined : super.allocate(words);
  }
}

describe("differences", () => {
  test("each one is kept once, and is its own way back", () => {
    const ledger = new Counting();
    const links = new DifferenceLinks(ledger);
    const random = generator(3);
    const known = new Map<string, number>();
    let from = new Int32Array(5);
    for (let i = 0; i < 1500; i++) {
      const to = from.map((word, k) => word ^ (((random() >>> 0) % 5 === k ? random() & 0xff : 0) | 0));
      if (!links.reserve(1, 5)) throw new Error("no memory");
      // Words before and after are not part of the state.
      const link = links.link(Int32Array.of(7, ...from, 3), 1, Int32Array.of(8, 8, ...to, i), 2, 5);
      const difference = from.map((word, k) => word ^ to[k]!).join();
      if ((known.get(difference) ?? known.size + 1) !== link) throw new Error(`${difference} is ${link}`);
      known.set(difference, link);
      const there = from.slice();
      links.redo(link, there);
      if (there.join() !== to.join()) throw new Error("redone wrongly");
      links.undo(link, there);
      if (there.join() !== from.join()) throw new Error("undone wrongly");
      from = to;
    }
    expect(links.largest(3)).toBe(known.size + 3);
    // Words that do not differ take no room.
    const words = [...known.keys()].flatMap((difference) =>
      difference.split(",").filter((word) => word !== "0"),
    );
    expect(links.starts[known.size + 1]).toBe(2 * words.length);
    expect(ledger.bytes).toBe(links.bytes);
    expect(ledger.asked).toBeLessThan(20);
  });

  test("that were there before a table grew are there afterwards", () => {
    const links = new DifferenceLinks(new Ledger());
    const linkOf = (value: number): number => {
      links.reserve(1, 1);
      return links.link(Int32Array.of(0), 0, Int32Array.of(value), 0, 1);
    };
    const numbers = Array.from({ length: 600 }, (_, i) => i + 1);
    for (let most = 1; most < 600; most += 20)
      expect(numbers.slice(0, most).map(linkOf)).toEqual(numbers.slice(0, most));
    expect([...links.starts.subarray(1, 4)]).toEqual([0, 2, 4]);
  });

  test("of one hash are told apart, by their length and by every word", () => {
    const links = new DifferenceLinks(new Ledger());
    links.reserve(20, 4);
    const intern = (...words: number[]): number => {
      const start = links.starts[links.count + 1]!;
      links.records.fill(0, start, start + 8);
      links.records.set(words, start);
      return links.intern(start, start + words.length, 0);
    };
    const all = [[1, 5, 2, 6], [1, 5], [1, 5, 2, 7], [1, 4, 2, 6], [3, 5, 2, 6], [1, 5, 3, 6], []];
    for (let round = 0; round < 3; round++)
      expect(all.map((words) => intern(...words))).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test("have as much room as they need, or none", () => {
    for (const refused of [1, 2, 3]) {
      const ledger = new Counting();
      ledger.refused = refused;
      const links = new DifferenceLinks(ledger);
      expect([links.reserve(1, 1), links.reserve(1, 1), ledger.bytes === links.bytes]).toEqual([
        false,
        true,
        true,
      ]);
    }
    const links = new DifferenceLinks(new Ledger());
    for (let i = 0; i < 2; i++) {
      expect(links.reserve(254, 0)).toBe(true);
      expect(links.starts.length).toBe(256);
    }
    for (let i = 0; i < 2; i++) {
      expect(links.reserve(1, 128)).toBe(true);
      expect(links.records.length).toBe(256);
    }
    expect([links.reserve(255, 0), links.starts.length]).toEqual([true, 512]);
    expect([links.reserve(1, 129), links.records.length]).toEqual([true, 512]);
  });
});

describe("words in pages", () => {
  const sizes = ({ pages, capacity }: PagedWords): readonly number[] => [
    capacity,
    ...pages.map(({ length }) => length),
  ];

  test("records do not overlap, and do not cross pages", () => {
    const words = new PagedWords(new Ledger());
    let end = 0;
    for (let i = 0; i < 30_000; i++) {
      if (i % 1000 === 0) expect(words.reserveRecords(1000, 7)).toBe(true);
      const { capacity } = words;
      const start = words.allot(7);
      const isSound =
        words.capacity === capacity &&
        start >= end &&
        start >>> 16 === (start + 6) >>> 16 &&
        start + 7 <= capacity;
      if (!isSound) throw new Error(`a record at ${start}, behind ${end}`);
      end = start + 7;
      for (const k of [0, 6]) words.set(start + k, i + k);
    }
    expect([words.get(0), words.get(6), words.get(end - 7), words.get(end - 1)]).toEqual([
      0, 6, 29_999, 30_005,
    ]);
    expect(words.allot(1 << 16)).toBe(-1);
    expect(words.allot((1 << 16) - 1)).toBe(3 << 16 < end ? 4 << 16 : Math.ceil(end / 65_536) << 16);
    expect([words.reserveRecords(1, 1 << 16), words.reserveRecords(1, 70_000)]).toEqual([false, false]);
  });

  test("a record may end where its page ends", () => {
    const words = new PagedWords(new Ledger());
    expect([1, 2, 3].map(() => words.allot(1 << 15))).toEqual([0, 1 << 15, 1 << 16]);
  });

  test("the first page doubles, others are whole", () => {
    const ledger = new Ledger();
    const words = new PagedWords(ledger);
    expect([words.reserve(1), ...sizes(words)]).toEqual([true, 256, 256]);
    words.set(255, 5);
    expect([words.reserve(256), ...sizes(words)]).toEqual([true, 256, 256]);
    expect([words.reserve(257), ...sizes(words), words.get(255)]).toEqual([true, 512, 512, 5]);
    expect([words.reserve(65_537), ...sizes(words)]).toEqual([true, 131_072, 65_536, 65_536]);
    words.set(65_536, 6);
    expect([words.get(255), words.get(65_536), ledger.bytes]).toEqual([5, 6, words.bytes]);
  });

  test("positions are 31 bits, and memory may be short", () => {
    const words = new PagedWords(new Ledger(1 << 12));
    expect(words.reserve(1000)).toBe(true);
    words.set(999, 5);
    expect([words.reserve(3000), words.reserveRecords(1, 3000), words.allot(3000)]).toEqual([
      false,
      false,
      -1,
    ]);
    expect(words.get(999)).toBe(5);
    const far = new PagedWords(new Ledger());
    far.capacity = 2 ** 32;
    far.used = 2 ** 31 - 10;
    expect(far.allot(11)).toBe(-1);
    expect(far.allot(10)).toBe(2 ** 31 - 10);
    far.used = 2 ** 31 - 30;
    expect([far.reserveRecords(1, 10), far.reserveRecords(1, 11)]).toEqual([true, false]);
  });
});

test("numbers of links: two bytes each, then four; over pages", () => {
  const ledger = new Ledger();
  const column = new LinkColumn(ledger);
  const number = (id: number): number => (id * 7) & 0xffff;
  for (const [entries, room] of [
    [1, 256],
    [256, 256],
    [257, 512],
    [5000, 8192],
    [65_536, 65_536],
    [65_537, 131_072],
    [70_000, 131_072],
  ] as const) {
    expect(column.reserve(entries)).toBe(true);
    expect([column.bytes, ledger.bytes]).toEqual([2 * room, 2 * room]);
    column.set(entries - 1, number(entries - 1));
    expect([column.get(0), column.get(entries - 1)]).toEqual([0, number(entries - 1)]);
  }
  for (let id = 0; id < 70_000; id++) column.set(id, number(id));
  expect(column.reserveNumber(65_535)).toBe(true);
  expect(ledger.bytes).toBe(2 * 131_072);
  expect(column.reserveNumber(65_536)).toBe(true);
  expect(ledger.bytes).toBe(4 * 131_072);
  expect(column.bytes).toBe(ledger.bytes);
  for (let id = 0; id < 70_000; id += 13) if (column.get(id) !== number(id)) throw new Error(`lost ${id}`);
  column.set(69_999, 1 << 20);
  expect(column.reserve(140_000)).toBe(true);
  column.set(139_999, 1 << 21);
  column.set(196_607, 1 << 22);
  expect([0, 69_999, 139_999, 196_607].map((id) => column.get(id))).toEqual([0, 1 << 20, 1 << 21, 1 << 22]);
  expect([column.bytes, ledger.bytes]).toEqual([4 * 196_608, 4 * 196_608]);
});

test("numbers of links: memory may be short, also for the second of two pages", () => {
  const short = new LinkColumn(new Ledger(700));
  expect([short.reserve(256), short.reserve(257), short.reserveNumber(65_536)]).toEqual([true, false, false]);
  const ledger = new Counting();
  const column = new LinkColumn(ledger);
  expect(column.reserve(65_537)).toBe(true);
  column.set(65_536, 9);
  ledger.refused = ledger.asked + 2;
  expect([column.reserveNumber(65_536), column.bytes, ledger.bytes, column.get(65_536)]).toEqual([
    false,
    262_144,
    262_144,
    9,
  ]);
});

test("states met lately: without memory there is room for one", () => {
  const recent = new RecentStates(new Ledger(100));
  recent.resize(1 << 12, 5);
  expect([recent.ids.length, recent.words.length, recent.ways.length]).toEqual([1, 5, 1]);
  const more = new RecentStates(new Ledger());
  more.resize(1 << 12, 5);
  expect([more.ids.length, more.words.length, more.ways.length]).toEqual([512, 2560, 512]);
});

/** Numbers of parts: models that share memory agree on all of them, and stored records give them again. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Numbers } from "../../src/model/index.js";
import { Journal, recordsOf } from "../../src/model/journal.js";

const upper = (key: string): string => key.toUpperCase();
const kindsOf = (numbers: Numbers) => [numbers.kind(upper), numbers.kind(upper)] as const;

const use = fc.record({
  model: fc.nat(2),
  kind: fc.nat(1),
  key: fc.string({ maxLength: 3 }),
});

test("models with one memory give equal keys one number, whoever is first", () => {
  fc.assert(
    fc.property(fc.array(use, { maxLength: 8 }), fc.array(use, { maxLength: 40 }), (before, after) => {
      const first = new Numbers();
      const own = kindsOf(first);
      for (const { kind, key } of before) own[kind]!.numberOf(key);
      const all = [first, new Numbers(first.memory), new Numbers(first.memory)];
      const kinds = [own, ...all.slice(1).map(kindsOf)];
      const known = new Map<string, number>();
      for (const { model, kind, key } of after) {
        const number = kinds[model]![kind]!.numberOf(key, () => upper(key));
        const name = `${kind} ${key}`;
        expect(number).toBe(known.get(name) ?? number);
        known.set(name, number);
      }
      for (const [name, number] of known)
        kinds.forEach((each, model) => {
          all[model]!.catchUp();
          expect(each[Number(name[0])]!.things[number]).toBe(upper(name.slice(2)));
        });
      for (const each of all) each.catchUp();
      const [one, ...others] = kinds.map((each) => each.map(({ things }) => things));
      for (const other of others) expect(other).toEqual(one);
      expect(new Set(known.values()).size).toBeLessThanOrEqual(known.size);
    }),
  );
});

test("a model sees parts of others only after it has caught up", () => {
  const first = new Numbers();
  const [one] = kindsOf(first);
  const other = new Numbers(first.memory);
  const [learning] = kindsOf(other);
  one.numberOf("a");
  expect(learning.things).toEqual([]);
  other.catchUp();
  expect(learning.things).toEqual(["A"]);
});

test("stored records give the same numbers to another model, and later ones follow", () => {
  fc.assert(
    fc.property(fc.array(use, { maxLength: 30 }), fc.array(use, { maxLength: 10 }), (stored, later) => {
      const first = new Numbers();
      const own = kindsOf(first);
      for (const { kind, key } of stored) own[kind]!.numberOf(key);
      const { words } = first.recordsFrom(0);
      const second = new Numbers();
      const again = kindsOf(second);
      const end = second.restore(words);
      for (const { kind, key } of [...stored, ...later])
        expect(again[kind]!.numberOf(key)).toBe(own[kind]!.numberOf(key));
      const added = [...recordsOf(second.recordsFrom(end).words)].map(({ key }) => key);
      expect(added.length).toBe(
        again.reduce((sum, { things }) => sum + things.length, 0) - [...recordsOf(words)].length,
      );
    }),
  );
});

test("records are refused by a model that has numbered other parts", () => {
  const first = new Numbers();
  const [own] = kindsOf(first);
  own.numberOf("a");
  own.numberOf("b");
  const { words } = first.recordsFrom(0);
  const taken = new Numbers();
  kindsOf(taken)[0].numberOf("b");
  expect(() => taken.restore(words)).toThrow("is taken");
  const more = new Numbers();
  kindsOf(more)[1].numberOf("z");
  expect(() => more.restore(words)).toThrow("numbered before");
});

test("a journal that gives a key another number is refused", () => {
  const numbers = new Numbers();
  const [kind] = kindsOf(numbers);
  kind.numberOf("a");
  const journal = new Journal();
  const foreign = journal.table(() => undefined);
  foreign.number("b");
  foreign.number("a");
  expect(() => kind.share(new Journal(journal.memory))).toThrow("two numbers");
});

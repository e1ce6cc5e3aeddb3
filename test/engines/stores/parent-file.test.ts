import fc from "fast-check";
import { expect, test } from "vitest";
import { ParentFile } from "../../../src/engines/explicit/stores/parent-file.js";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import { generator } from "./keys.js";

test("parents and positions come back as they went in", () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(3), fc.oneof(fc.nat(20), fc.nat(70_000))), { maxLength: 1500 }),
      (steps) => {
        const file = new ParentFile(new Ledger());
        const kept: [number, number][] = [];
        let parent = 0;
        for (const [step, position] of steps) {
          parent = Math.min(kept.length, parent + step);
          kept.push([parent, position]);
          expect(file.reserve(kept.length, parent)).toBe(true);
          file.append(kept.length, parent, position);
        }
        expect(kept.map((_, i) => [file.parent(i + 1), file.position(i + 1)])).toEqual(kept);
      },
    ),
    { numRuns: 50 },
  ));

test("ten bits per state", () => {
  const ledger = new Ledger();
  const file = new ParentFile(ledger);
  const random = generator(1);
  const n = 1_000_000;
  let parent = 0;
  for (let id = 1; id <= n; id++) {
    if (id > 1) parent = Math.max(1, Math.min(id - 1, parent + (random() & 1)));
    file.reserve(id, parent);
    file.append(id, parent, random() & 15);
  }
  expect(file.parent(n)).toBe(parent);
  expect((8 * ledger.bytes) / n).toBeLessThan(12);
});

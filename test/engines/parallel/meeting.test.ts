/** The meeting of workers at the end of a level; the test plays other workers, so that the order of events is known. */
import { afterEach, expect, test, vi } from "vitest";
import { controlWords } from "../../../src/engines/explicit/parallel/items.js";
import { Meeting, meetingPlace, type LevelReport } from "../../../src/engines/explicit/parallel/meeting.js";
import { Control } from "../../../src/engines/explicit/parallel/protocol.js";

afterEach(() => void vi.restoreAllMocks());

const place = (workers: number) => ({
  control: new Int32Array(new SharedArrayBuffer(4 * controlWords(workers))),
  words: meetingPlace(workers),
});

const report = (first: number, errors = 0): LevelReport => ({
  errors,
  stored: [first, first + 3],
  left: [first + 3, first + 8],
});

/** Two workers; `onLook` happens when the waiting one looks for a reason to stop. */
function meetTwo(onLook: (control: Int32Array, arrive: () => void) => void) {
  const { control, words } = place(2);
  const [one, other] = [0, 1].map((worker) => new Meeting(control, words, worker));
  const load = Atomics.load.bind(Atomics) as (array: Int32Array, index: number) => number;
  let looks = 0;
  vi.spyOn(Atomics, "load").mockImplementation(((array: Int32Array, index: number) => {
    if (array === control && index === Control.stop && looks++ === 0)
      onLook(control, () => void other!.meet(4, report(20, 2)));
    return load(array, index);
  }) as typeof Atomics.load);
  return one!.meet(4, report(10, 1));
}

const both = { errors: 3, stored: [10, 13, 20, 23], left: [13, 18, 23, 28], taken: 7 };

test("all that was stored and seen is gathered, whoever comes last", () => {
  const arrival = (control: Int32Array, arrive: () => void): void => {
    control[Control.block] = 7;
    arrive();
  };
  expect(meetTwo(arrival)).toEqual(both);
});

test("one that waits goes on with the others, even if they have run out of ids before it looks", () => {
  const overtaken = (control: Int32Array, arrive: () => void): void => {
    control[Control.block] = 7;
    arrive();
    control[Control.full] = 1;
  };
  expect(meetTwo(overtaken)).toEqual(both);
});

test.each([Control.full, Control.stop])(
  "one that waits for another that does not come gives up: %i",
  (why) => {
    expect(meetTwo((control) => void (control[why] = 1))).toBeUndefined();
  },
);

test("more ranges than there is room for are said to be too many, by all", () => {
  const { control, words } = place(1);
  const stored = Array.from({ length: 1 << 13 }, (_, i) => i);
  const gathered = new Meeting(control, words, 0).meet(1, { errors: 0, stored, left: [0, 0] });
  expect(gathered).toEqual({ errors: 0, stored: undefined, left: [0, 0], taken: 0 });
  const fitting = stored.slice(0, (1 << 13) - 4);
  const whole = new Meeting(control, words, 0).meet(2, { errors: 0, stored: fitting, left: [0, 0] });
  expect(whole?.stored).toEqual(fitting);
});

test("a worker that stored nothing says so", () => {
  const { control, words } = place(1);
  const gathered = new Meeting(control, words, 0).meet(3, { errors: 0, stored: [], left: [5, 9] });
  expect(gathered).toEqual({ errors: 0, stored: [], left: [5, 9], taken: 0 });
});

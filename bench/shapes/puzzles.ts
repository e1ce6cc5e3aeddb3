/** One process over a large array, with many guarded steps: puzzles and plans. */
import { all, automaton, each, type Edge } from "./automata.js";

/** Peg solitaire on a board of `rows` times `columns` holes, of which the one in the middle is empty. */
export const pegs = (rows: number, columns: number): string => {
  const cell = (row: number, column: number): string => `hole[${row * columns + column}]`;
  const directions = [
    [0, 1],
    [1, 0],
    [0, -1],
    [-1, 0],
  ] as const;
  const jumps = all(rows * columns, (at): Edge[] =>
    directions.flatMap(([down, right]) => {
      const [row, column] = [Math.floor(at / columns), at % columns];
      const [toRow, toColumn] = [row + 2 * down, column + 2 * right];
      if (toRow < 0 || toRow >= rows || toColumn < 0 || toColumn >= columns) return [];
      const [from, over, to] = [cell(row, column), cell(row + down, column + right), cell(toRow, toColumn)];
      const when = `${from} == 1 && ${over} == 1 && ${to} == 0`;
      return [{ to: "play", when, then: [`${from} = 0`, `${over} = 0`, `${to} = 1`, "left = left - 1"] }];
    }),
  );
  const middle = cell(rows >> 1, columns >> 1);
  return `
byte hole[${rows * columns}] = 1;
byte left = ${rows * columns - 1};
${automaton("Player", "", { setUp: [{ to: "play", then: [`${middle} = 0`] }], play: jumps })}`;
};

/** The towers of Hanoi: three stacks of `n` places in one array. */
export const hanoi = (n: number): string => {
  const at = (tower: number): string => `disk[${tower * n} + height[${tower}] - 1]`;
  const free = (tower: number): string => `disk[${tower * n} + height[${tower}]]`;
  const moves = all(3, (from) =>
    all(3, (to): Edge[] => {
      if (from === to) return [];
      const when = `height[${from}] > 0 && (height[${to}] == 0 || ${at(to)} > ${at(from)})`;
      const count = [`height[${to}] = height[${to}] + 1`, `height[${from}] = height[${from}] - 1`];
      return [{ to: "move", when, then: [`${free(to)} = ${at(from)}`, `${at(from)} = 0`, ...count] }];
    }),
  );
  const initial = Array.from({ length: n }, (_, i) => `disk[${i}] = ${n - i}`);
  return `
byte disk[${3 * n}];
byte height[3];
${automaton("Mover", "", { setUp: [{ to: "move", then: [...initial, `height[0] = ${n}`] }], move: moves })}`;
};

/** `n` people with different paces cross a bridge in pairs with one lamp. */
export const bridge = (n: number, most: number): string => {
  const pace = (i: number): number => 5 * (i + 1);
  const crossings = (side: number): Edge[] =>
    all(n, (i) =>
      all(i + 1, (j) => {
        const both = [...new Set([`side[${i}]`, `side[${j}]`])];
        const when = [...both.map((place) => `${place} == ${side}`), `time + ${pace(i)} <= ${most}`];
        const then = [...both.map((place) => `${place} = ${1 - side}`), `time = time + ${pace(i)}`];
        return [{ to: side === 0 ? "far" : "near", when: when.join(" && "), then }];
      }),
    );
  return `
bool side[${n}];
byte time;
${automaton("Lamp", "", { near: crossings(0), far: crossings(1) })}`;
};

/** Vessels with `sizes`, filled, emptied and poured into each other. */
export const vessels = (...sizes: readonly number[]): string => {
  const moves = sizes.flatMap((size, i) => [
    { to: "pour", when: `level[${i}] < ${size}`, then: [`level[${i}] = ${size}`, "cost = (cost + 1) % 250"] },
    { to: "pour", when: `level[${i}] > 0`, then: [`level[${i}] = 0`, "cost = (cost + 1) % 250"] },
    ...sizes.flatMap((room, j): Edge[] =>
      i === j
        ? []
        : [
            {
              to: "pour",
              when: `level[${i}] > 0 && level[${j}] + level[${i}] <= ${room}`,
              then: [`level[${j}] = level[${j}] + level[${i}]`, `level[${i}] = 0`],
            },
            {
              to: "pour",
              when: `level[${j}] < ${room} && level[${j}] + level[${i}] > ${room}`,
              then: [`level[${i}] = level[${i}] - (${room} - level[${j}])`, `level[${j}] = ${room}`],
            },
          ],
    ),
  ]);
  return `
byte level[${sizes.length}];
byte cost;
${automaton("Person", "", { pour: moves })}`;
};

/** `n` objects with shape, surface, temperature and paint, worked on by eight machines for at most `most` time units. */
export const workshop = (n: number, most: number): string => {
  const machines = [
    ["shape", 1, "temperature", 0],
    ["shape", 2, "temperature", 0],
    ["surface", 1, "shape", 1],
    ["surface", 2, "shape", 2],
    ["paint", 1, "surface", 1],
    ["paint", 2, "surface", 2],
    ["temperature", 1, "shape", 0],
    ["hole", 1, "paint", 0],
  ] as const;
  const work = all(n, (o): Edge[] =>
    machines.map(([field, value, needs, needed], m) => ({
      to: "plan",
      when: `busy[${m}] == 0 && done[${o}] == 0 && ${needs}[${o}] == ${needed} && ${field}[${o}] != ${value}`,
      then: [`busy[${m}] = 1`, `done[${o}] = 1`, `${field}[${o}] = ${value}`],
    })),
  );
  const clear = [...machines.map((_, m) => `busy[${m}] = 0`), ...all(n, (o) => [`done[${o}] = 0`])];
  return `
byte ${["shape", "surface", "temperature", "paint", "hole", "done"].map((name) => `${name}[${n}]`).join(", ")};
bool busy[8];
byte time;
${automaton("Planner", "", { plan: [...work, { to: "plan", when: `time < ${most}`, then: ["time = time + 1", ...clear] }] })}`;
};

/** Cars on a square of `side` cells that move along their row or column; each car has two cells. */
export const jam = (side: number, cars: number): string => {
  const at = (row: string, column: string): string => `cell[(${row}) * ${side} + (${column})]`;
  const drive = each(cars, (c) => {
    const isRow = c % 2 === 0;
    const lane = Math.floor(c / 2) % side;
    const place = (offset: string): string => (isRow ? at(`${lane}`, offset) : at(offset, `${lane}`));
    return automaton(`Car_${c}`, `byte at = ${isRow ? 0 : side - 2};`, {
      park: [
        {
          to: "drive",
          when: `turn == ${c}`,
          then: [`${place("at")} = ${c + 1}`, `${place("at + 1")} = ${c + 1}`, "turn = turn + 1"],
        },
      ],
      drive: [
        {
          to: "drive",
          when: `turn == ${cars} && at + 2 < ${side} && ${place("at + 2")} == 0`,
          then: [`${place("at + 2")} = ${c + 1}`, `${place("at")} = 0`, "at = at + 1"],
        },
        {
          to: "drive",
          when: `turn == ${cars} && at > 0 && ${place("at - 1")} == 0`,
          then: [`${place("at - 1")} = ${c + 1}`, `${place("at + 1")} = 0`, "at = at - 1"],
        },
      ],
    });
  });
  return `
byte cell[${side * side}];
byte turn;
${drive}`;
};

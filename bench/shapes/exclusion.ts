/** Mutual exclusion with shared variables, an automaton for each process: published algorithms, rewritten. */
import { all, automaton, each } from "./automata.js";

/** Anderson's lock: an array of slots, in which each process waits at its own place. */
export const slotLock = (n: number): string => `
byte slot[${n}];
byte next;
init { slot[0] = 1 }
${each(n, (i) =>
  automaton(`P_${i}`, "byte place;", {
    outside: [{ to: "ticket", then: ["place = next", `next = (next + 1) % ${n}`] }],
    ticket: [{ to: "inside", when: "slot[place] == 1", then: ["slot[place] = 0"] }],
    inside: [{ to: "outside", then: [`slot[(place + 1) % ${n}] = 1`] }],
  }),
)}`;

/** Lamport's fast mutual exclusion: two registers and a flag for each process, which the slow path reads one by one. */
export const fastLock = (n: number): string => `
byte x = 255, y = 255;
bool b[${n}];
${each(n, (i) =>
  automaton(`P_${i}`, "byte j;", {
    outside: [{ to: "setX", then: [`b[${i}] = 1`] }],
    setX: [{ to: "readY", then: [`x = ${i}`] }],
    readY: [
      { to: "wait", when: "y != 255", then: [`b[${i}] = 0`] },
      { to: "setY", when: "y == 255" },
    ],
    wait: [{ to: "outside", when: "y == 255" }],
    setY: [{ to: "readX", then: [`y = ${i}`] }],
    readX: [
      { to: "inside", when: `x == ${i}` },
      { to: "slow", when: `x != ${i}`, then: [`b[${i}] = 0`, "j = 0"] },
    ],
    slow: [
      { to: "slow", when: `j < ${n} && b[j] == 0`, then: ["j = j + 1"] },
      { to: "decide", when: `j == ${n}`, then: ["j = 0"] },
    ],
    decide: [
      { to: "inside", when: `y == ${i}` },
      { to: "wait", when: `y != ${i}` },
    ],
    inside: [{ to: "leave", then: ["y = 255"] }],
    leave: [{ to: "outside", then: [`b[${i}] = 0`] }],
  }),
)}`;

/** Szymanski's algorithm with five values of a flag, read process by process. */
export const waitingRoom = (n: number): string => `
byte flag[${n}];
${each(n, (i) =>
  automaton(`P_${i}`, "byte j;", {
    outside: [{ to: "door", then: [`flag[${i}] = 1`, "j = 0"] }],
    door: [
      { to: "door", when: `j < ${n} && flag[j] < 3`, then: ["j = j + 1"] },
      { to: "enter", when: `j == ${n}`, then: [`flag[${i}] = 3`, "j = 0"] },
    ],
    enter: [
      { to: "enter", when: `j < ${n} && flag[j] != 1`, then: ["j = j + 1"] },
      { to: "anyone", when: `j < ${n} && flag[j] == 1`, then: [`flag[${i}] = 2`, "j = 0"] },
      { to: "room", when: `j == ${n}`, then: [`flag[${i}] = 4`, "j = 0"] },
    ],
    anyone: [
      { to: "anyone", when: `j < ${n} && flag[j] != 4`, then: ["j = j + 1"] },
      { to: "anyone", when: `j == ${n}`, then: ["j = 0"] },
      { to: "room", when: `j < ${n} && flag[j] == 4`, then: [`flag[${i}] = 4`, "j = 0"] },
    ],
    room: [
      { to: "room", when: `j < ${i} && flag[j] < 2`, then: ["j = j + 1"] },
      { to: "inside", when: `j >= ${i}`, then: [`j = ${i + 1}`] },
    ],
    inside: [
      { to: "inside", when: `j < ${n} && (flag[j] < 2 || flag[j] > 3)`, then: ["j = j + 1"] },
      { to: "outside", when: `j == ${n}`, then: [`flag[${i}] = 0`, "j = 0"] },
    ],
  }),
)}`;

/** The algorithm of Alur and Taubenfeld with discrete clocks: a clock advances while no process is late. */
export const timedLock = (n: number, longest: number): string => `
byte x, y, z;
byte clock[${n}] = 255;

active proctype Time() {
flow: if
:: d_step { ${Array.from({ length: n }, (_, i) => `(clock[${i}] == 255 || clock[${i}] > 0)`).join(" && ")};
${each(n, (i) => `if :: clock[${i}] != 255 -> clock[${i}] = clock[${i}] - 1 :: else fi;\n`)} } goto flow;
fi;
}
${each(n, (i) => {
  const [due, free] = [`clock[${i}] = ${longest}`, `clock[${i}] = 255`];
  return automaton(`P_${i}`, "", {
    outside: [{ to: "start", then: [due] }],
    start: [{ to: "readY", then: [`x = ${i + 1}`, due] }],
    readY: [
      { to: "setY", when: "y == 0", then: [due] },
      { to: "waitY", when: "y != 0", then: [free] },
    ],
    waitY: [{ to: "start", when: "y == 0", then: [due] }],
    setY: [{ to: "readX", then: [`y = ${i + 1}`, due] }],
    readX: [
      { to: "setZ", when: `x == ${i + 1}`, then: [due] },
      { to: "delay", when: `x != ${i + 1}`, then: [due] },
    ],
    delay: [{ to: "again", when: `clock[${i}] == 0`, then: [due] }],
    again: [
      { to: "waitZ", when: `y == ${i + 1}`, then: [free] },
      { to: "waitY", when: `y != ${i + 1}`, then: [free] },
    ],
    waitZ: [{ to: "inside", when: "z == 0" }],
    setZ: [{ to: "inside", then: ["z = 1", free] }],
    inside: [{ to: "leaveZ", then: [due] }],
    leaveZ: [{ to: "leaveY", then: ["z = 0", due] }],
    leaveY: [
      { to: "outside", when: `y == ${i + 1}`, then: ["y = 0", free] },
      { to: "outside", when: `y != ${i + 1}`, then: [free] },
    ],
  });
})}`;

/** A token ring in which processes elect an owner when the token is lost, which it is up to `most` times: a channel between any two neighbours. */
export const tokenRing = (n: number, most: number): string => `
${each(n, (i) => `chan ring_${i} = [1] of { byte, byte };\n`)}
byte losses;
${each(n, (i) => {
  const [left, right] = [`ring_${i}`, `ring_${(i + 1) % n}`];
  return automaton(`P_${i}`, "byte kind, from; bool wants;", {
    outside: [
      { to: "outside", when: "wants == 0", then: ["wants = 1"] },
      { to: "received", by: `${left}?kind,from` },
      { to: "waiting", when: `wants == 1 && len(${right}) == 0`, by: `${right}!2,${i}` },
    ],
    waiting: [{ to: "received", by: `${left}?kind,from` }],
    received: [
      { to: "inside", when: "kind == 1 && wants == 1", then: ["kind = 0", "from = 0"] },
      { to: "pass", when: "kind == 1 && wants == 0", then: ["kind = 0", "from = 0"] },
      { to: "inside", when: `kind == 2 && from == ${i}`, then: ["kind = 0", "from = 0"] },
      { to: "waiting", when: `kind == 2 && from > ${i} && wants == 1`, then: ["kind = 0", "from = 0"] },
      { to: "forward", when: `kind == 2 && (from < ${i} || (from > ${i} && wants == 0))` },
    ],
    forward: [{ to: "outside", by: `${right}!2,from`, then: ["kind = 0", "from = 0"] }],
    inside: [{ to: "pass", then: ["wants = 0"] }],
    pass: [
      { to: "outside", by: `${right}!1,0` },
      { to: "outside", when: `losses < ${most}`, then: ["losses = losses + 1"] },
    ],
  });
})}`;

/** `n` trains before a gate with a queue: rendezvous channels in both directions for each. */
export const trainGate = (n: number): string => `
chan approach = [0] of { byte };
chan leave = [0] of { byte };
${each(n, (i) => `chan stop_${i} = [0] of { bit };\nchan go_${i} = [0] of { bit };\n`)}
byte list[${n + 1}];
byte length;
${each(n, (i) =>
  automaton(`Train_${i}`, "", {
    safe: [{ to: "approaching", by: `approach!${i}` }],
    approaching: [{ to: "stopped", by: `stop_${i}?0` }, { to: "crossing" }],
    stopped: [{ to: "starting", by: `go_${i}?0` }],
    starting: [{ to: "crossing" }],
    crossing: [{ to: "safe", by: `leave!${i}` }],
  }),
)}
${automaton("Gate", "byte e, i;", {
  free: [
    {
      to: "occupied",
      when: "length == 0",
      by: "approach?e",
      then: ["list[length] = e", "length = length + 1"],
    },
    ...all(n, (i) => [{ to: "occupied", when: `length > 0 && list[0] == ${i}`, by: `go_${i}!0` }]),
  ],
  occupied: [
    { to: "stopping", by: "approach?e", then: ["list[length] = e", "length = length + 1"] },
    { to: "shift", by: "leave?e", then: ["i = 0"] },
  ],
  stopping: all(n, (i) => [
    { to: "occupied", when: `list[length - 1] == ${i}`, by: `stop_${i}!0` },
    { to: "shift", when: `list[length - 1] == ${i}`, by: "leave?e", then: ["i = 0"] },
  ]),
  shift: [
    { to: "shift", when: "i + 1 < length", then: ["list[i] = list[i + 1]", "i = i + 1"] },
    {
      to: "free",
      when: "i + 1 >= length",
      then: ["length = length - 1", "list[i] = 0", "i = 0", "e = 0"],
    },
  ],
})}`;

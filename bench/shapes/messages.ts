/** Protocols and controllers whose automata communicate over many channels. */
import { all, automaton, each, type Edge } from "./automata.js";

/** `n` stations on one bus: frames of several ticks, and a collision when two send at once. */
export const collisions = (n: number, length: number): string => `
${each(n, (i) => `chan begin_${i} = [0] of { byte };\nchan end_${i} = [0] of { byte };\nchan clash_${i} = [0] of { byte };\n`)}
byte sent[${n}];
${each(n, (i) =>
  automaton(`Station_${i}`, "byte rest, tries;", {
    idle: [{ to: "ready", when: `sent[${i}] < 2` }],
    ready: [{ to: "sending", by: `begin_${i}!${i}`, then: [`rest = ${length}`] }],
    sending: [
      { to: "sending", when: "rest > 0", then: ["rest = rest - 1"] },
      { to: "idle", when: "rest == 0", by: `end_${i}!${i}`, then: ["tries = 0"] },
      { to: "back", by: `clash_${i}?0`, then: ["rest = 0"] },
    ],
    back: [
      { to: "ready", when: "tries < 3", then: ["tries = tries + 1"] },
      { to: "gaveUp", when: "tries == 3" },
    ],
    gaveUp: [{ to: "idle", then: ["tries = 0", `sent[${i}] = 0`] }],
  }),
)}
${automaton("Bus", "byte who, other;", {
  free: all(n, (i): Edge[] => [{ to: "busy", by: `begin_${i}?who` }]),
  busy: all(n, (i): Edge[] => [
    { to: "collided", by: `begin_${i}?other` },
    { to: "free", by: `end_${i}?who`, then: [`sent[${i}] = (sent[${i}] + 1) % 3`] },
  ]),
  collided: all(n, (i): Edge[] => [
    { to: "second", when: `who == ${i}`, by: `clash_${i}!0` },
    { to: "second", when: `who == ${i}`, by: `end_${i}?who` },
  ]),
  second: all(n, (i): Edge[] => [
    { to: "free", when: `other == ${i}`, by: `clash_${i}!0`, then: ["other = 0", "who = 0"] },
    { to: "free", when: `other == ${i}`, by: `end_${i}?other`, then: ["other = 0", "who = 0"] },
  ]),
})}`;

/** A lift for `persons` persons and `floors` floors that serves requests in the direction in which it moves. */
export const lift = (floors: number, persons: number): string => `
bool request[${floors}];
byte floor, ride;
bool open;
${each(persons, (p) =>
  automaton(`Person_${p}`, `byte at = ${p % floors}, goal;`, {
    outside: all(floors, (f): Edge[] => [
      { to: "calling", when: `at != ${f}`, then: [`goal = ${f}`, "request[at] = 1"] },
    ]),
    calling: [
      {
        to: "inside",
        when: "open == 1 && floor == at && ride < 3",
        then: ["ride = ride + 1", "request[goal] = 1"],
      },
    ],
    inside: [
      {
        to: "outside",
        when: "open == 1 && floor == goal",
        then: ["ride = ride - 1", "at = goal", "goal = 0"],
      },
    ],
  }),
)}
${automaton("Lift", "bool up = 1; byte k; bool isAhead;", {
  still: [
    { to: "opened", when: "request[floor] == 1", then: ["open = 1", "request[floor] = 0"] },
    { to: "look", when: "request[floor] == 0", then: ["isAhead = 0", "k = floor"] },
  ],
  opened: [{ to: "look", then: ["open = 0", "isAhead = 0", "k = floor"] }],
  look: [
    {
      to: "look",
      when: `up == 1 && k < ${floors - 1}`,
      then: ["k = k + 1", "isAhead = isAhead || request[k]"],
    },
    { to: "look", when: "up == 0 && k > 0", then: ["k = k - 1", "isAhead = isAhead || request[k]"] },
    { to: "decide", when: `(up == 1 && k == ${floors - 1}) || (up == 0 && k == 0)`, then: ["k = 0"] },
  ],
  decide: [
    { to: "still", when: "isAhead == 1 && up == 1", then: ["floor = floor + 1", "isAhead = 0"] },
    { to: "still", when: "isAhead == 1 && up == 0", then: ["floor = floor - 1", "isAhead = 0"] },
    { to: "still", when: "isAhead == 0", then: ["up = 1 - up"] },
  ],
})}`;

/** A sliding window over channels that lose frames; both sides keep their windows in arrays. */
export const windowProtocol = (window: number, most: number): string => {
  const n = 2 * window;
  return `
chan data = [2] of { byte, byte };
chan receipts = [2] of { byte, byte };
${automaton("Sender", `byte base, next, kind, number; byte buffer[${n}]; byte tries;`, {
  idle: [
    {
      to: "send",
      when: `(next + ${n} - base) % ${n} < ${window}`,
      then: ["buffer[next] = (buffer[next] + 1) % 2"],
    },
    { to: "received", by: "receipts?kind,number" },
    { to: "again", when: `base != next && tries < ${most}`, then: ["tries = tries + 1"] },
  ],
  send: [
    { to: "idle", by: "data!next,buffer[next]", then: [`next = (next + 1) % ${n}`] },
    { to: "idle", then: [`next = (next + 1) % ${n}`, "kind = 0"] },
  ],
  again: [{ to: "idle", by: "data!base,buffer[base]" }],
  received: [
    {
      to: "idle",
      when: `kind == 1 && (number + ${n} - base) % ${n} <= (next + ${n} - base) % ${n}`,
      then: ["base = number", "number = 0", "kind = 0", "tries = 0"],
    },
    {
      to: "idle",
      when: `kind == 1 && (number + ${n} - base) % ${n} > (next + ${n} - base) % ${n}`,
      then: ["number = 0", "kind = 0"],
    },
    { to: "resend", when: "kind == 2", then: ["kind = 0"] },
  ],
  resend: [{ to: "idle", by: "data!number,buffer[number]", then: ["number = 0"] }],
})}
${automaton("Receiver", `byte expected, number, value; bool has[${n}]; byte kept[${n}];`, {
  idle: [{ to: "received", by: "data?number,value" }],
  received: [
    {
      to: "deliver",
      when: `(number + ${n} - expected) % ${n} < ${window}`,
      then: ["has[number] = 1", "kept[number] = value", "value = 0"],
    },
    { to: "confirm", when: `(number + ${n} - expected) % ${n} >= ${window}`, then: ["value = 0"] },
  ],
  deliver: [
    {
      to: "deliver",
      when: "has[expected] == 1",
      then: ["has[expected] = 0", "kept[expected] = 0", `expected = (expected + 1) % ${n}`],
    },
    { to: "confirm", when: "has[expected] == 0" },
  ],
  confirm: [
    { to: "idle", by: "receipts!1,expected", then: ["number = 0"] },
    { to: "idle", by: "receipts!2,expected", then: ["number = 0"] },
    { to: "idle", then: ["number = 0", "value = 0"] },
  ],
})}`;
};

/** `n` telephones, of which the first `callers` call the others; arrays say who is connected with whom. */
export const telephones = (n: number, callers: number): string => `
byte device[${n}] = 255;
byte partner[${n}] = 255;
bool ringing[${n}];
${each(n, (i) =>
  automaton(`User_${i}`, "", {
    idle: [
      ...(i < callers ? [{ to: "dialling", when: `device[${i}] == 255`, then: [`device[${i}] = 254`] }] : []),
      { to: "answering", when: `ringing[${i}] == 1` },
    ],
    dialling: [
      ...all(n, (j): Edge[] => [{ to: "calling", then: [`partner[${i}] = ${j}`, "skip"] }]),
      { to: "idle", then: [`device[${i}] = 255`, `partner[${i}] = 255`] },
    ],
    calling: [
      { to: "busy", when: `device[partner[${i}]] != 255` },
      {
        to: "rings",
        when: `device[partner[${i}]] == 255`,
        then: [`device[partner[${i}]] = ${i}`, `ringing[partner[${i}]] = 1`],
      },
    ],
    busy: [{ to: "idle", then: [`partner[${i}] = 255`, `device[${i}] = 255`] }],
    rings: [
      { to: "talking", when: `ringing[partner[${i}]] == 0 && device[partner[${i}]] == ${i}` },
      {
        to: "idle",
        when: `ringing[partner[${i}]] == 1`,
        then: [
          `ringing[partner[${i}]] = 0`,
          `device[partner[${i}]] = 255`,
          `partner[${i}] = 255`,
          `device[${i}] = 255`,
        ],
      },
    ],
    answering: [
      {
        to: "talking",
        when: `ringing[${i}] == 1 && device[${i}] != 255`,
        then: [`ringing[${i}] = 0`, `partner[${i}] = device[${i}]`],
      },
      { to: "idle", when: `ringing[${i}] == 0` },
    ],
    talking: [{ to: "idle", then: [`partner[${i}] = 255`, `device[${i}] = 255`] }],
  }),
)}`;

/** Messages with three fields between `n` initiators and responders, read, kept in `slots` and made anew by an intruder. */
export const handshakes = (n: number, slots: number): string => {
  const names = ["nonceA", "nonceB", "nonceI"] as const;
  const known = (k: number): string => `knows[${k}]`;
  return `
chan network = [0] of { byte, byte, byte, byte };
chan air = [0] of { byte, byte, byte, byte };
byte ended;
${each(n, (i) =>
  automaton(`Initiator_${i}`, "byte peer, got, kind, first, second, key;", {
    start: [
      { to: "send", then: ["peer = 11", "got = 0"] },
      { to: "send", then: ["peer = 12", "got = 0"] },
    ],
    send: [{ to: "wait", by: `network!1,${20 + i},${i + 1},peer` }],
    wait: [{ to: "check", by: "air?kind,first,second,key" }],
    check: [
      {
        to: "confirm",
        when: `kind == 2 && first == ${20 + i} && key == ${i + 1}`,
        then: ["got = second", "kind = 0", "first = 0", "second = 0", "key = 0"],
      },
      {
        to: "wait",
        when: `!(kind == 2 && first == ${20 + i} && key == ${i + 1})`,
        then: ["kind = 0", "first = 0", "second = 0", "key = 0"],
      },
    ],
    confirm: [{ to: "done", by: "network!3,got,0,peer", then: ["ended = ended + 1"] }],
    done: [],
  }),
)}
${automaton("Responder", "byte partner, nonce, kind, first, second, key;", {
  wait: [{ to: "check", by: "air?kind,first,second,key" }],
  check: [
    {
      to: "reply",
      when: "kind == 1 && key == 11",
      then: ["nonce = first", "partner = second", "kind = 0", "first = 0", "second = 0", "key = 0"],
    },
    {
      to: "wait",
      when: "!(kind == 1 && key == 11)",
      then: ["kind = 0", "first = 0", "second = 0", "key = 0"],
    },
  ],
  reply: [{ to: "confirm", by: "network!2,nonce,30,partner" }],
  confirm: [{ to: "last", by: "air?kind,first,second,key" }],
  last: [
    { to: "done", when: "kind == 3 && first == 30 && key == 11", then: ["ended = ended + 1"] },
    {
      to: "confirm",
      when: "!(kind == 3 && first == 30 && key == 11)",
      then: ["kind = 0", "first = 0", "second = 0", "key = 0"],
    },
  ],
  done: [],
})}
${automaton(
  "Intruder",
  `bool knows[${n + names.length}]; byte kind, first, second, key; byte kept[${4 * slots}];`,
  {
    hear: [
      { to: "learn", by: "network?kind,first,second,key" },
      ...all(n + 2, (k): Edge[] =>
        all(3, (kind) => [
          {
            to: "hear",
            when: `${known(k)} == 1`,
            by: `air!${kind + 1},${k < n ? 20 + k : 30},${(k % n) + 1},${kind === 1 ? (k % n) + 1 : 11}`,
          },
        ]),
      ),
      ...all(slots, (k): Edge[] => [
        {
          to: "hear",
          when: `kept[${4 * k}] != 0`,
          by: `air!${[0, 1, 2, 3].map((f) => `kept[${4 * k + f}]`).join(",")}`,
        },
      ]),
    ],
    learn: [
      ...all(n, (i): Edge[] => [
        { to: "forget", when: `key == 12 && first == ${20 + i}`, then: [`knows[${i}] = 1`] },
      ]),
      { to: "forget", when: "key == 12 && first == 30", then: [`knows[${n}] = 1`] },
      ...all(slots, (k): Edge[] => {
        const then = ["kind", "first", "second", "key"].map((field, f) => `kept[${4 * k + f}] = ${field}`);
        return [{ to: "forget", when: "key != 12", then }];
      }),
      { to: "forget" },
    ],
    forget: [{ to: "hear", then: ["kind = 0", "first = 0", "second = 0", "key = 0"] }],
  },
)}`;
};

/** A line of `n` machines with a crane: items move from belt to belt by rendezvous over `5 * n` channels. */
export const productionLine = (n: number, items: number): string => {
  const kinds = ["offer", "take", "ready", "start", "stop"] as const;
  const channel = (kind: (typeof kinds)[number], i: number): string => `${kind}_${i}`;
  return `
${each(n + 1, (i) => kinds.map((kind) => `chan ${channel(kind, i)} = [0] of { byte };\n`).join(""))}
byte made;
${automaton("Feed", "byte item;", {
  idle: [{ to: "offering", when: `made < ${items}`, then: ["made = made + 1", "item = 1 + made % 3"] }],
  offering: [{ to: "idle", by: `${channel("offer", 0)}!item`, then: ["item = 0"] }],
})}
${each(n, (i) =>
  automaton(`Machine_${i}`, "byte item, wear;", {
    vacant: [{ to: "loaded", by: `${channel("offer", i)}?item` }],
    loaded: [{ to: "working", by: `${channel("start", i)}!item` }],
    working: [{ to: "finished", by: `${channel("stop", i)}?wear` }],
    finished: [
      { to: "vacant", by: `${channel("offer", i + 1)}!item`, then: ["item = 0"] },
      { to: "broken", when: "wear == 2" },
    ],
    broken: [{ to: "finished", by: `${channel("ready", i)}?wear` }],
  }),
)}
${each(n, (i) =>
  automaton(`Motor_${i}`, "byte load, turns;", {
    off: [
      { to: "on", by: `${channel("start", i)}?load`, then: ["turns = load"] },
      { to: "off", by: `${channel("ready", i)}!0` },
    ],
    on: [
      { to: "on", when: "turns > 0", then: ["turns = turns - 1"] },
      { to: "off", when: "turns == 0", by: `${channel("stop", i)}!load`, then: ["load = 0"] },
    ],
  }),
)}
${automaton("Deposit", "byte item;", {
  wait: [{ to: "stored", by: `${channel("offer", n)}?item` }],
  stored: [{ to: "wait", then: ["made = made - 1", "item = 0"] }],
})}`;
};

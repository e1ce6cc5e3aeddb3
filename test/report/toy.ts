/**
 * A small hand-written system, for tests of reports without a language or an engine: a sender numbers its messages in a channel of
 * capacity two; a receiver adds them up and announces its end.
 */
import {
  Entry,
  Sources,
  Status,
  type Model,
  type Property,
  type Shown,
  type Span,
  type Step,
  type Successors,
  type Words,
} from "../../src/model/index.js";

export const toyFile = "toy.pml";

export const toyText = `chan q = [2] of { byte };
chan done = [0] of { bit };
byte sum;

active proctype Sender() {
  byte n = 1;
  do
  :: n <= 2 -> q!n; n++
  :: n > 2 -> break
  od;
  done?1
}

active proctype Receiver() {
  byte v;
  do
  :: q?v -> sum = sum + v; printf("sum %d\\n", sum)
  :: sum >= 3 -> assert(sum != 3); done!1; break
  od
}
`;

/** Words of a state. */
const S = 0, R = 1, N = 2, V = 3, SUM = 4, LEN = 5, Q = 6, width = 8; // prettier-ignore

const asserts: Property = { name: "assertions", kind: "assertion", span: undefined };
const deadlock: Property = { name: "deadlock", kind: "deadlock", span: undefined };
export const toyProperties = { asserts, deadlock };

interface Rule extends Partial<Omit<Step, "messages" | "sources">> {
  readonly who: "Sender" | "Receiver";
  readonly text: string;
  isEnabled(s: Words): boolean;
  apply(s: Words): void;
  fails?(s: Words): boolean;
  explain?(s: Words): Partial<Step>;
}

const at = (word: number, location: number) => (s: Words) => s[word] === location;

const rules: readonly Rule[] = [
  {
    who: "Sender",
    text: "n <= 2",
    isEnabled: (s) => at(S, 0)(s) && s[N]! <= 2,
    apply: (s) => void (s[S] = 1),
  },
  {
    who: "Sender",
    text: "q!n",
    isEnabled: (s) => at(S, 1)(s) && s[LEN]! < 2,
    apply: (s) => {
      s[Q + s[LEN]!++] = s[N]!;
      s[S] = 2;
    },
    explain: (s) => ({
      messages: [
        { kind: "send", channel: "q", channelId: 1, message: `${s[N]}`, from: "Sender[0]", to: undefined },
      ],
    }),
  },
  {
    who: "Sender",
    text: "n++",
    isEnabled: at(S, 2),
    apply: (s) => {
      s[N]!++;
      s[S] = 0;
    },
  },
  { who: "Sender", text: "n > 2", isEnabled: (s) => at(S, 0)(s) && s[N]! > 2, apply: (s) => void (s[S] = 3) },
  {
    who: "Receiver",
    text: "q?v",
    isEnabled: (s) => at(R, 0)(s) && s[LEN]! > 0,
    apply: (s) => {
      s[V] = s[Q]!;
      s[Q] = s[Q + 1]!;
      s[Q + 1] = 0;
      s[LEN]!--;
      s[R] = 1;
    },
    explain: (s) => ({
      messages: [
        {
          kind: "receive",
          channel: "q",
          channelId: 1,
          message: `${s[Q]}`,
          from: undefined,
          to: "Receiver[1]",
        },
      ],
    }),
  },
  {
    who: "Receiver",
    text: "sum = sum + v",
    isEnabled: at(R, 1),
    apply: (s) => {
      s[SUM]! += s[V]!;
      s[R] = 2;
    },
  },
  {
    who: "Receiver",
    text: 'printf("sum %d\\n", sum)',
    isEnabled: at(R, 2),
    apply: (s) => void (s[R] = 0),
    explain: (s) => ({ output: `sum ${s[SUM]}\n` }),
  },
  {
    who: "Receiver",
    text: "sum >= 3",
    isEnabled: (s) => at(R, 0)(s) && s[SUM]! >= 3,
    apply: (s) => void (s[R] = 3),
  },
  {
    who: "Receiver",
    text: "assert(sum != 3)",
    isEnabled: at(R, 3),
    apply: (s) => void (s[R] = 4),
    fails: (s) => s[SUM] === 3,
  },
  {
    who: "Receiver",
    text: "done!1",
    isEnabled: (s) => at(R, 4)(s) && s[S] === 3,
    apply: (s) => {
      s[S] = 4;
      s[R] = 5;
    },
    explain: () => ({
      participants: ["Receiver[1]", "Sender[0]"],
      action: "done!1 / done?1",
      sources: [spanOf("done!1"), spanOf("done?1")],
      messages: [
        {
          kind: "rendezvous",
          channel: "done",
          channelId: 2,
          message: "1",
          from: "Receiver[1]",
          to: "Sender[0]",
        },
      ],
    }),
  },
];

export const toySources = (): Sources => {
  const sources = new Sources();
  sources.add(toyFile, toyText);
  return sources;
};

/** `canFail` false: without the assertion, so the toy is correct. */
export function toyModel({ canFail = true } = {}): Model {
  const enabled = (state: Words, offset: number): Rule[] => {
    const s = state.subarray(offset, offset + width);
    return rules.filter((rule) => rule.isEnabled(s));
  };
  const reached = new Uint8Array(rules.length);
  const system = {
    width,
    compareFrom: 0,
    initial(out: Successors) {
      append(out, Int32Array.of(0, 0, 1, 0, 0, 0, 0, 0), 0);
    },
    successors(state: Words, offset: number, out: Successors) {
      for (const rule of enabled(state, offset)) {
        const next = state.slice(offset, offset + width);
        const isFault = canFail && rule.fails?.(next) === true;
        rule.apply(next);
        reached[rules.indexOf(rule)] = 1;
        append(out, next, isFault ? 1 << Entry.faultShift : 0);
      }
    },
    status: (state: Words, offset: number) => (state[offset + S] === 4 ? Status.validEnd : 0),
    describe(state: Words, offset: number, choice: number): Step {
      const rule = enabled(state, offset)[choice]!;
      return {
        participants: [rule.who === "Sender" ? "Sender[0]" : "Receiver[1]"],
        action: rule.text,
        sources: [spanOf(rule.text)],
        messages: [],
        output: "",
        ...rule.explain?.(state.subarray(offset, offset + width)),
      };
    },
    snapshot: (state: Words, offset: number): Shown[] => [
      { name: "sum", value: `${state[offset + SUM]}` },
      {
        name: "q",
        value: `[${[...state.subarray(offset + Q, offset + Q + state[offset + LEN]!)].join(", ")}]`,
      },
      { name: "Sender[0]:n", value: `${state[offset + N]}` },
      { name: "Receiver[1]:v", value: `${state[offset + V]}` },
    ],
    processes: (state: Words, offset: number) => [
      {
        name: "Sender[0]",
        span: spanOf(["n <= 2", "q!n", "n++", "done?1", "}"][state[offset + S]!]!),
        isAtEnd: state[offset + S] === 4,
      },
      {
        name: "Receiver[1]",
        span: spanOf(
          ["q?v", "sum = sum + v", "printf", "assert(sum != 3)", "done!1", "}"][state[offset + R]!]!,
        ),
        isAtEnd: state[offset + R] === 5,
      },
    ],
  };
  return {
    system,
    steps: system,
    properties: [asserts, deadlock],
    sites: [
      { fault: "assertion", message: "assertion violated: sum != 3", span: spanOf("assert(sum != 3)") },
    ],
    invariants: [],
    holds: () => true,
    coverage: {
      parts: rules.map((rule) => ({ owner: rule.who, text: rule.text, span: spanOf(rule.text) })),
      reached,
    },
  };
}

function spanOf(text: string): Span {
  const start = toyText.indexOf(text);
  return { file: toyFile, start, end: start + text.length };
}

function append(out: Successors, state: Words, flags: number): void {
  if (out.count === out.capacity) out.grow();
  out.words.set(state, out.count * out.stride);
  out.flags[out.count++] = flags;
  if (flags !== 0) out.isFlagged = true;
}

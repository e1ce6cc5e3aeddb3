/**
 * Allowed and refused reductions of the gate, one condition after the other; `refused.test.ts` justifies them. Quick, for
 * mutation testing.
 */
import { describe, expect, test } from "vitest";
import type { Network, NetworkProperty, Observation, PacketEvent } from "../../../src/model/network.js";
import { gate, type GateRequest, type NetworkReduction } from "../../../src/transforms/network/index.js";

const ALL: readonly NetworkReduction[] = [
  "barrier",
  "client",
  "counter",
  "one-shot",
  "transitive",
  "controller",
  "eager",
  "preload",
  "exact-control",
  "arrival",
];

interface Parts {
  readonly controller?: Partial<Network["controller"]>;
  readonly events?: readonly { readonly name: string; readonly usesBarriers: boolean }[];
  readonly clients?: readonly {
    readonly name: string;
    readonly receive: { readonly usesBarriers: boolean };
  }[];
  readonly links?: readonly { readonly mayFail: boolean }[];
}

const networkWith = ({ controller, events = [], clients = [], links = [] }: Parts): Network =>
  ({
    controller: { kappa: 1, barriers: "published", usesBarriers: false, ...controller },
    events,
    clients,
    links,
  }) as unknown as Network;

const NOTHING: Observation = {
  tables: false,
  control: false,
  switchPackets: false,
  clientPackets: false,
  isUpwardClosed: true,
  relatesPackets: false,
};

const looking = (observes: Partial<Observation>, check: object = { form: "state" }): NetworkProperty =>
  ({ name: "p", observes: { ...NOTHING, ...observes }, check }) as unknown as NetworkProperty;

const seeing = (
  events: readonly PacketEvent[],
  moment: "decision" | "execution",
  observes: Partial<Observation> = {},
): NetworkProperty => looking(observes, { form: "event", events, moment });

/** `reduction: reason` of each that is refused. */
const refused = (parts: Parts, properties: readonly NetworkProperty[], more: Partial<GateRequest> = {}) =>
  gate(networkWith(parts), { wanted: ALL, properties, sendLimit: Infinity, ...more }).refused.map(
    ({ name, reason }) => `${name}: ${reason}`,
  );

test("nothing is refused without a reason", () => {
  expect(refused({}, [])).toEqual([]);
  for (const harmless of [
    looking({ control: true }),
    looking({ clientPackets: true }),
    looking({ switchPackets: true }),
    looking({ relatesPackets: true }),
    seeing(["forwarded"], "decision", { control: true }),
    seeing(["forwarded", "dropped"], "execution"),
    seeing(["packetIn"], "execution", { control: true }),
    seeing(["received", "lost"], "execution"),
  ])
    expect(refused({}, [harmless]), JSON.stringify(harmless)).toEqual([]);
});

test("a reason counts whichever property has it", () => {
  expect(refused({}, [looking({}), looking({ tables: true })])).toEqual([
    "barrier: tables",
    "exact-control: no barrier",
    "arrival: tables",
  ]);
});

describe("what properties look at", () => {
  test.each([
    [looking({ isUpwardClosed: false }), ["client", "counter", "controller", "eager"], "packets"],
    [looking({ clientPackets: true, control: true }), ["client"], "clients and control"],
    [looking({ clientPackets: true, relatesPackets: true }), ["client"], "clients and packets"],
    [seeing(["received"], "execution", { control: true }), ["eager"], "received with control"],
    [seeing(["received"], "decision", { control: true }), ["eager"], "received with control"],
    [seeing(["packetIn", "dropped"], "execution", { control: true }), ["eager"], "executed with control"],
    [seeing(["forwarded"], "execution", { control: true }), ["eager"], "executed with control"],
  ] as const)("%j", (property, reductions, reason) => {
    const found = refused({}, [property]);
    expect(found.filter((each) => !each.endsWith("no counter"))).toEqual(
      reductions.map((each) => `${each}: ${reason}`),
    );
    const dependent = ["one-shot", "transitive", "preload"].map((each) => `${each}: no counter`);
    expect(found.filter((each) => each.endsWith("no counter"))).toEqual(
      reductions.some((each) => each === "counter") ? dependent : [],
    );
  });

  test("lost packets, if links may fail", () => {
    const links = [{ mayFail: false }, { mayFail: true }];
    expect(refused({ links }, [seeing(["lost"], "execution")])).toEqual(["eager: lost on links that fail"]);
    expect(refused({ links }, [seeing(["dropped"], "execution")])).toEqual([]);
    expect(refused({ links: links.slice(0, 1) }, [seeing(["lost"], "execution")])).toEqual([]);
    expect(refused({ links }, [looking({})])).toEqual([]);
  });
});

describe("what networks have", () => {
  test("packets that are sent only so often are counted", () => {
    for (const [sendLimit, times] of [
      [1, "once"],
      [2, "2 times"],
    ] as const) {
      const { refused: all } = gate(networkWith({}), { wanted: ["counter"], properties: [], sendLimit });
      expect(all).toEqual([
        { name: "counter", reason: "send limit", why: expect.stringContaining(`at most ${times},`) },
      ]);
    }
  });

  test("barriers of OpenFlow that are sent", () => {
    const all = ["barrier", "controller", "eager"].map((each) => `${each}: barriers of OpenFlow`);
    const expected = [...all, "exact-control: no barrier"];
    expect(refused({ controller: { barriers: "openflow", usesBarriers: true } }, [])).toEqual(expected);
    expect(refused({ controller: { barriers: "openflow" } }, [])).toEqual([]);
    expect(refused({ controller: { usesBarriers: true } }, [])).toEqual([]);
  });

  test("several requests at a time, and barriers from elsewhere", () => {
    expect(refused({ controller: { kappa: 2 } }, [])).toEqual(["controller: kappa"]);
    expect(refused({ controller: { portDownUsesBarriers: true } }, [])).toEqual([
      "controller: barriers of portDown",
    ]);
    const events = (usesBarriers: boolean) => [{ name: "e", usesBarriers }];
    expect(refused({ events: events(true) }, [])).toEqual(["controller: barriers of events"]);
    expect(refused({ events: events(false) }, [])).toEqual([]);
    const clients = (usesBarriers: boolean) => [{ name: "c", receive: { usesBarriers } }];
    expect(refused({ clients: clients(true) }, [])).toEqual(["controller: barriers of clients"]);
    expect(refused({ clients: clients(false) }, [])).toEqual([]);
  });

  test("what needs another reduction is refused without it", () => {
    for (const [name, needed] of [
      ["one-shot", "counter"],
      ["transitive", "counter"],
      ["preload", "counter"],
      ["exact-control", "barrier"],
    ] as const) {
      expect(refused({}, [], { wanted: [name] })).toEqual([`${name}: no ${needed}`]);
      expect(refused({}, [], { wanted: [name, needed] })).toEqual([]);
    }
  });
});

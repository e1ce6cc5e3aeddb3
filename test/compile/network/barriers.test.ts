/** Barriers as OpenFlow has them: they order messages to one switch, and stop neither time nor packets. */
import { describe, expect, test } from "vitest";
import { check, overallVerdict } from "../../../src/index.js";
import { verdictOf } from "./counting.js";

const chain = `network chain { switch s1, s2 ports 1..2; client c1, c2; link c1:1 -- s1:1; link s1:2 -- s2:1; link s2:2 -- c2:1; }
packet { kind: enum {A, B}; }
behaviour client c1 { send {kind: A}; }
`;
const PUBLISHED = "options { barriers = published; }\n";

/** The controller installs a rule at s2, sends a barrier there, and forwards the packet immediately. */
const overtaking = `${chain} controller { on packetIn(p, sw, pt) {
  if (sw == s1) { install(s2, rule(1, {}, [2])); barrier(s2); forward([2]); }
  else error("the rule of s2 was overtaken"); } }
property handled: noUnhandledPacketIn;`;

/** The same, but it waits for the reply of s2 before the packet is forwarded. */
const awaiting = `${chain} controller { state { isAsked: bool = false; isThere: bool = false; }
  on packetIn(p, sw, pt) {
    if (sw == s1 && !isThere) { if (!isAsked) { isAsked = true; install(s2, rule(1, {}, [2])); barrier(s2); } drop(); }
    else if (sw == s1) forward([2]);
    else error("the rule of s2 was overtaken"); }
  on barrierReply(sw) { isThere = true; } }
property nothing: always true;`;

const verdicts = async (text: string, reductions?: []): Promise<string> =>
  overallVerdict(await check({ file: "n.sdn", text }, reductions ? { reductions } : {}));

describe("a packet overtakes a barrier to another switch", () => {
  test("in OpenFlow", async () => expect(await verdictOf(overtaking)).toBe("violated"));
  test("but not in the published meaning", async () =>
    expect(await verdictOf(PUBLISHED + overtaking)).toBe("holds"));
  test("unless its reply is awaited", async () => expect(await verdictOf(awaiting)).toBe("holds"));
  test("and a reply that is not for this barrier is not enough", async () => {
    const early = awaiting.replace("isThere: bool = false", "isThere: bool = true");
    expect(await verdictOf(early)).toBe("violated");
  });
});

test("messages after a barrier stay behind those before it, and so does the packet", async () => {
  const ordered = (barrier: string): string => `${chain} controller { on packetIn(p, sw, pt) {
    if (sw == s2) { drop(); return; }
    install(s1, rule(2, {kind: A}, [])); ${barrier} install(s1, rule(1, {}, [2])); drop(); } }
    property dropped: always forall p: packets at s2 . p.kind != A;`;
  expect(await verdictOf(ordered("barrier(s1);"))).toBe("holds");
  expect(await verdictOf(ordered(""))).toBe("violated");
  const sent = (barrier: string): string => `${chain} controller { on packetIn(p, sw, pt) {
      if (sw == s2) forward([1]);
      else if (pt == 2) error("no rule for what comes back");
      else { install(s1, rule(2, {port: 2}, [])); ${barrier} forward([2]); } } }
    property nothing: always true;`;
  expect(await verdictOf(sent("barrier(s1);"))).toBe("holds");
  expect(await verdictOf(sent(""))).toBe("violated");
});

test("a barrier behind the packet that is sent out does not hold it back", async () => {
  const twice = (body: string): string => `${chain} controller { state { isKnown: bool = false; }
    on packetIn(p, sw, pt) {
      if (sw == s2) { drop(); return; }
      if (isKnown) error("asked again");
      isKnown = true; ${body} } }
    property nothing: always true;`;
  const [install, barrier] = ["install(s1, rule(1, {}, [2]));", "barrier(s1);"];
  const answer = "forward([2]);";
  expect(await verdictOf(twice(`${install} ${barrier} ${answer}`))).toBe("holds");
  expect(await verdictOf(twice(`${install} ${answer} ${barrier}`))).toBe("violated");
  expect(await verdictOf(twice(`drop(); ${install} ${barrier}`))).toBe("violated");
  expect(await verdictOf(twice(`flood(); ${install} ${barrier}`))).toBe("violated");
  expect(await verdictOf(twice(`${install} ${barrier} ${answer} ${barrier}`))).toBe("holds");
  expect(await verdictOf(twice(`${install} ${barrier} ${answer} barrier(s2);`))).toBe("holds");
  expect(await verdictOf(twice(`${install} barrier(s2); ${answer} ${barrier}`))).toBe("violated");
  expect(await verdictOf(twice(`${install} ${barrier}`))).toBe("holds");
});

test("replies come later than barriers are obeyed, and may be several", async () => {
  const text = `${chain} controller { state { heard: 0..3 = 0; sent: 0..3 = 0; }
    on packetIn(p, sw, pt) { if (sent < 2) { sent = sent + 1; barrier(s1); barrier(s2); } drop(); }
    on barrierReply(sw) { if (heard == 3) error("four"); heard = heard + 1; } }
    property late: always true;`;
  expect(await verdicts(text, [])).toBe("violated");
  expect(await verdicts(text)).toBe("violated");
});

test("what the published meaning allows is refused", async () => {
  const report = await check(
    { file: "n.sdn", text: overtaking },
    { reductions: ["barrier", "controller", "eager"] },
  );
  const notes = report.diagnostics.map(({ message }) => message).join("\n");
  for (const name of ["barrier", "controller", "eager"])
    expect(notes).toContain(`reduction '${name}' is off: barriers follow OpenFlow`);
});

/** Networks that can be translated to Murphi; quick, for mutation testing. */
import { expect, test } from "vitest";
import { whyNotWritten } from "../../../src/compile/network/murphi/properties.js";
import { networkOf } from "../../languages/sdn/loading.js";

const networkWith = (options: string, body: string): string => `${options}
  network n { switch s1 ports 1..2; client a, b; link a:1 -- s1:1; link b:1 -- s1:2; }
  packet { kind: bool; } behaviour client a { send {kind: any}; }
  controller { on packetIn(p, sw, pt) { install(s1, rule(1, {}, [2])); ${body} drop(); } }`;

test("barriers are obeyed at once there: those of OpenFlow are not written", () => {
  const why = (options: string, body: string): string | undefined =>
    whyNotWritten(networkOf(networkWith(options, body)));
  const published = "options { barriers = published; }";
  expect(why("", "barrier(s1);")).toMatch(/follow OpenFlow/);
  expect(why("", "")).toBeUndefined();
  expect(why(published, "barrier(s1);")).toBeUndefined();
  expect(why(published, "")).toBeUndefined();
});

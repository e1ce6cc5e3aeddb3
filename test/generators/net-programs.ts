/** Random nets as message-passing programs, whose provenance decides coverability. */
import { Work, backward, runAtOnce } from "../../src/engines/coverability/index.js";
import { check, overallVerdict } from "../../src/index.js";
import { programOfNet } from "../../src/languages/mpp/index.js";
import type { CoverProperty, Net } from "../../src/model/index.js";
import { randomNet } from "./nets.js";

/** Up to 5 places and 6 transitions. */
export function smallNet(seed: number): Net {
  for (let next = seed * 1000; ; next++) {
    const net = randomNet(next);
    if (net.places.length <= 5 && net.transitions.length <= 6) return net;
  }
}

/** Compares backward search on the net with the provenance engine on the program. */
export async function compareAsProgram(
  net: Net,
  maxStates: number,
): Promise<{ readonly problem: string | undefined; readonly answer: string }> {
  const { alternatives } = net.properties[0] as CoverProperty;
  const { kind } = runAtOnce(backward(net, alternatives, new Work()));
  const expected = kind === "covered" ? "violated" : "holds";
  const text = programOfNet(net)!;
  const answer = overallVerdict(await check({ file: "net.mpp", text }, { budget: { maxStates } }));
  const isFine = answer === expected || answer === "unknown";
  return { answer, problem: isFine ? undefined : `${kind} as a net, ${answer} as a program:\n${text}` };
}

/** The networks of `npm run fuzz:sdn`: random ones, and now and then one in which something that the gate refuses shows. */
import type { Network } from "../../../src/model/network.js";
import { randomNetwork } from "../../generators/network.js";
import { networkOf } from "../../languages/sdn/loading.js";
import { examples, type Example } from "./refused.js";

/** One in ten is an example. */
export function networkFor(seed: number): Network {
  const example = exampleFor(seed);
  return example ? networkOf(example.text) : randomNetwork(seed);
}

export const sendsFor = (seed: number): number => exampleFor(seed)?.sends ?? 1;

/** The example against a refused reduction; undefined for random networks. */
export const exampleFor = (seed: number): Example | undefined =>
  seed % 10 === 0 ? examples[(seed / 10) % examples.length] : undefined;

/**
 * Promela models of the shapes on which the engine is measured, generated here in any size: wide states, dozens of processes, many rendezvous
 * channels, branching atomic sequences, large arrays, discrete clocks. None has an assertion that fails.
 *
 * `exclusion.ts`, `puzzles.ts` and `messages.ts` have the form of translated automata (`automata.ts`).
 *
 * Scale 1 is for tests (seconds at most); at scale 3 pan takes between a tenth of a second and some ten on each; 4 is several times that.
 */
import { fieldBus, timers, transfers, warehouse } from "./data.js";
import { fastLock, slotLock, timedLock, tokenRing, trainGate, waitingRoom } from "./exclusion.js";
import { collisions, handshakes, lift, productionLine, telephones, windowProtocol } from "./messages.js";
import { crowd, layers } from "./processes.js";
import { bridge, hanoi, jam, pegs, vessels, workshop } from "./puzzles.js";

export interface Shape {
  readonly name: string;
  readonly text: string;
}

export const SCALES = [1, 2, 3, 4] as const;

/** One model of each shape. */
export function shapesOf(scale: number): readonly Shape[] {
  if (!SCALES.some((known) => known === scale))
    throw new Error(`--scale must be between 1 and ${SCALES.length}`);
  const shape = <N extends readonly number[]>(
    name: string,
    sizes: string,
    make: (...size: N) => string,
  ): Shape => {
    const size = sizes.split(" ")[scale - 1]!;
    return {
      name: `${name}-${size}`,
      text: make(...(size.split("-").map(Number) as unknown as N)).trimStart(),
    };
  };
  return [
    shape("field-bus", "3-8 4-8 5-12 6-12", fieldBus),
    shape("crowd", "6-2 16-2 36-2 60-2", crowd),
    shape("layers", "1-1 2-0 2-8 2-16", layers),
    shape("transfers", "2-3-3 3-4-4 3-5-5 4-5-4", transfers),
    shape("warehouse", "5-1 6-3 8-3 9-4", warehouse),
    shape("timers", "3-3 5-3 5-5 6-4", timers),
    shape("slot-lock", "3 5 6 7", slotLock),
    shape("fast-lock", "3 4 5 6", fastLock),
    shape("waiting-room", "3 4 5 6", waitingRoom),
    shape("timed-lock", "2-2 3-2 4-1 4-3", timedLock),
    shape("token-ring", "2-3 3-3 3-9 4-1", tokenRing),
    shape("train-gate", "3 4 5 6", trainGate),
    shape("pegs", "4-4 4-5 5-5 5-6", pegs),
    shape("hanoi", "6 9 12 13", hanoi),
    shape("bridge", "6-80 8-150 12-200 15-250", bridge),
    shape("vessels", "2-3-5 3-5-8 3-5-9-14 3-7-11-19", vessels),
    shape("workshop", "2-2 2-4 3-2 3-4", workshop),
    shape("jam", "5-6 6-8 7-9 7-10", jam),
    shape("collisions", "2-1 2-2 3-1 3-2", collisions),
    shape("lift", "2-2 3-2 3-3 4-3", lift),
    shape("window", "1-1 1-2 1-5 2-1", windowProtocol),
    shape("telephones", "3-3 4-4 5-3 5-4", telephones),
    shape("handshakes", "1-1 1-3 2-2 2-3", handshakes),
    shape("production-line", "2-2 3-3 3-5 4-4", productionLine),
  ];
}

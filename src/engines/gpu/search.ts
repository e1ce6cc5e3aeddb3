/**
 * Breadth-first search on a device: one launch a level, or several for a wide one; the host reads some counters after each.
 *
 * In: a model with step code, and an open device. Out: the same states, transitions, depth and errors as breadth-first search on the processor.
 * A launch that met a lack of room is not counted, and is repeated with more. A launch that met a value beyond the layout's guess calls the
 * host's function, which throws `LayoutExceeded`. Paths are found backwards, level by level (`paths.ts`).
 */
import {
  DeviceProblem,
  Entry,
  Successors,
  faultSite,
  isStepCodeOf,
  isTimeUp,
  type Budget,
  type Control,
  type Device,
  type DeviceArgument,
  type DeviceBuffer,
  type DeviceFigures,
  type DeviceKernel,
  type DeviceProgram,
  type Model,
  type Stats,
  type Words,
} from "../../model/index.js";
import { lastOf, nth } from "../../model/known.js";
import { NotStepCode } from "../../step/index.js";
import { emitKernels, type DeviceProviso, type Kernels } from "./kernels.js";
import { Result, STRIPES, causesOf } from "./results.js";
import { keyWidth } from "./store-text.js";
import { LEAST_TREE_WIDTH } from "./tree-text.js";
import { Causes, type DeviceViolation } from "./causes.js";
import { Backwards } from "./paths.js";
import { DeviceStore } from "./store.js";

export interface DeviceSearchOptions {
  readonly budget: Budget;
  readonly control: Control;
  readonly maxErrors: number;
  readonly checksDeadlock: boolean;
  readonly checksSite: readonly boolean[];
  readonly invariants: readonly number[];
  readonly sought?: readonly number[];
  /** Of partial-order reduction; absent: none. */
  readonly proviso?: "queue" | "stack" | "none" | undefined;
}

export interface DeviceSettings {
  /** Memory of the device that the search may use. */
  readonly memoryBytes: number;
  /** How states are stored; absent: as their words, and as trees when the memory is spent. */
  readonly store?: DeviceStoreName | undefined;
  /** At the end: test that no state was entered twice. */
  readonly verifies?: boolean;
  /** Of the driver's compiler. */
  readonly compilerOptions?: string;
  /** Work items for each unit of a graphics processor. */
  readonly lanesPerUnit?: number;
  /** For tests that exceed them. */
  readonly firstEntries?: number;
  readonly insideRoom?: number;
  readonly firstNodes?: number;
}

export type DeviceStoreName = "flat" | "tree";

type DeviceStop = "states" | "depth" | "memory" | "time" | "step" | "interrupted" | "errors";

export interface DeviceResult {
  readonly violations: readonly DeviceViolation[];
  readonly stop: DeviceStop | undefined;
  readonly stats: Stats & {
    readonly matched: number;
    readonly peakFrontier: number;
    readonly device: DeviceFigures;
  };
  readonly store: {
    readonly count: number;
    readonly width: number;
    numbered(id: number, width: number): Words;
  };
}

/** The reason why a model cannot be searched on a device; undefined: it can. */
export function whyNotOnDevice(model: Model, checksDeadlock: boolean): string | undefined {
  const { system, holds } = model;
  const { step } = system;
  // sound: test/engines/gpu/differential.test.ts
  if (!step || !isStepCodeOf(system, holds)) return "its steps are not step code";
  if (step.base) return "it is a product with an automaton";
  // sound: test/engines/gpu/differential.test.ts
  if (system.compareFrom !== 0) return "its states have words that do not distinguish them";
  // sound: test/engines/gpu/reduction.test.ts
  if (system.candidates?.isProvisional) return "its candidates can be revoked";
  // sound: test/engines/gpu/differential.test.ts
  if (checksDeadlock && step.same.status !== system.status) return "its end states are not step code";
  if (model.violationClass) return "its errors are classified by code that runs only on the processor";
  return undefined;
}

/** Throws `DeviceProblem` where the model is not for a device, or the device fails. */
export async function searchOnDevice(
  model: Model,
  options: DeviceSearchOptions,
  device: Device,
  settings: DeviceSettings,
): Promise<DeviceResult> {
  const why = whyNotOnDevice(model, options.checksDeadlock);
  if (why !== undefined) throw unsuitable(why);
  const started = performance.now();
  try {
    return await searchWithRoom(model, options, device, settings, started);
  } catch (error) {
    throw error instanceof NotStepCode ? unsuitable(error.message) : error;
  }
}

const unsuitable = (why: string): DeviceProblem =>
  new DeviceProblem(
    "unsuitable",
    `a device cannot search this model: ${why}`,
    "check it without --engine gpu, or with other reductions (--reduction)",
  );

/** With more room for intermediate states, until it suffices; and as trees where words take too much memory. */
async function searchWithRoom(
  model: Model,
  options: DeviceSearchOptions,
  device: Device,
  settings: DeviceSettings,
  started: number,
): Promise<DeviceResult> {
  const canBeTree = model.system.width >= LEAST_TREE_WIDTH;
  let isTree = settings.store === "tree" && canBeTree;
  const mayRestart = settings.store === undefined && model.system.width >= LEAST_WIDTH_THAT_SHRINKS;
  for (let room = settings.insideRoom ?? FIRST_ROOM; ;) {
    const search = new Search(model, options, device, { ...settings, isTree }, room, started);
    try {
      const result = await search.run(mayRestart && !isTree);
      if (typeof result === "object") return result;
      if (result === "inside") room *= 4;
      else isTree = true;
    } finally {
      search.free();
    }
  }
}

interface SearchSettings extends DeviceSettings {
  readonly isTree: boolean;
}

/** States of the next level wait, whatever the order in which a level is expanded: for several work items "still to be expanded" means them. */
function provisoOf({ system }: Model, { proviso }: DeviceSearchOptions): DeviceProviso | undefined {
  if (!system.candidates || proviso === undefined) return undefined;
  if (proviso === "stack") throw new Error("a device searches breadth-first");
  return proviso === "none" ? "none" : "next-level";
}

class Search {
  readonly #model: Model;
  readonly #options: DeviceSearchOptions;
  readonly #device: Device;
  readonly #settings: SearchSettings;
  readonly #started: number;
  readonly #room: number;
  readonly #store: DeviceStore;
  readonly #kernels: Kernels;
  readonly #buffers: DeviceBuffer[] = [];
  readonly #results: DeviceBuffer;
  readonly #block: BigUint64Array;
  readonly #checks: DeviceBuffer;
  readonly #marks: DeviceBuffer;
  readonly #inside: DeviceBuffer;
  readonly #target: DeviceBuffer;
  readonly #causes: Causes;
  readonly #counted: Float64Array;
  readonly #lanes: number;
  readonly #group: number;
  /** First number of each level, and the end of the last one. */
  readonly #levels: number[] = [0];
  readonly #proviso: DeviceProviso | undefined;
  #program: DeviceProgram | undefined;
  #transitions = 0;
  #reduced = 0;
  #fullByProviso = 0;
  #rejected = 0;
  #depth = 0;
  #peak = 1;
  #slice: number;
  #launches = 0;
  #deviceSeconds = 0;
  #rehashSeconds = 0;
  #buildSeconds = 0;
  #lastReport: number;

  constructor(
    model: Model,
    options: DeviceSearchOptions,
    device: Device,
    settings: SearchSettings,
    room: number,
    started: number,
  ) {
    this.#model = model;
    this.#options = options;
    this.#device = device;
    this.#settings = settings;
    this.#room = room;
    this.#proviso = provisoOf(model, options);
    this.#started = this.#lastReport = started;
    const { width, step } = model.system;
    const isGpu = device.info.kind === "gpu";
    const { memoryBytes, isTree } = settings;
    this.#kernels = emitKernels(step!, {
      width,
      isTree,
      invariants: options.invariants,
      checksDeadlock: options.checksDeadlock,
      proviso: this.#proviso,
      sites: model.sites.length,
      insideRoom: room,
      chunkStates: DeviceStore.chunkStates(device, keyWidth({ width, isTree }), memoryBytes),
    });
    const { hasInside, resultWords, markCount, causes, counterCount } = this.#kernels;
    const laneBytes = hasInside ? 4 * width * room : 1;
    this.#group = isGpu ? 128 : 16;
    const most = isGpu
      ? device.info.computeUnits * (settings.lanesPerUnit ?? 2048)
      : device.info.computeUnits * 64;
    const fitting = Math.floor(memoryBytes / 16 / laneBytes / this.#group) * this.#group;
    this.#lanes = Math.max(this.#group, Math.min(most, fitting));
    this.#slice = isGpu ? 1 << 22 : 1 << 14;
    this.#store = new DeviceStore(device, width, memoryBytes, {
      firstEntries: settings.firstEntries ?? (isGpu ? 1 << 22 : 1 << 14),
      quickEntries: isGpu ? 1 << 24 : 1 << 18,
      firstNodes: isTree ? (settings.firstNodes ?? (isGpu ? 1 << 22 : 1 << 14)) : undefined,
    });
    this.#store.otherBytes = laneBytes * this.#lanes;
    this.#block = new BigUint64Array(resultWords);
    this.#results = this.#buffer(8 * resultWords);
    this.#checks = this.#buffer(Math.max(1, model.sites.length));
    this.#checks.write(
      Uint8Array.from([...options.checksSite.map(Number), 0]).subarray(0, this.#checks.bytes),
    );
    this.#marks = this.#buffer(8 * Math.ceil((markCount + 1) / 8));
    this.#marks.clear();
    this.#inside = this.#buffer(Math.max(8, laneBytes * this.#lanes));
    this.#target = this.#buffer(4 * width);
    this.#causes = new Causes(causes, causesOf(model.sites.length), options);
    this.#counted = new Float64Array(counterCount);
  }

  #buffer(bytes: number): DeviceBuffer {
    const buffer = this.#device.allocate(bytes);
    this.#buffers.push(buffer);
    return buffer;
  }

  free(): void {
    this.#store.free();
    for (const buffer of this.#buffers) buffer.free();
  }

  /** `inside`: a work item had no room for its intermediate states. `memory`: spent, if the caller `asksForTree` then. */
  async run(asksForTree: boolean): Promise<DeviceResult | "inside" | "memory"> {
    const initial = new Successors(this.#model.system.width);
    this.#model.system.initial(initial);
    const [flags, first] = [initial.flags[0]!, initial.stateAt(0)];
    // sound: test/engines/gpu/differential.test.ts
    if (faultSite(flags) >= 0) this.#causes.atStart(faultSite(flags));
    if ((flags & Entry.dead) !== 0 || this.#causes.errors >= this.#options.maxErrors)
      return this.#result(this.#causes.errors >= this.#options.maxErrors ? "errors" : undefined, []);
    const program = await this.#build();
    this.#program = program;
    const explore = program.kernel("explore");
    const rehash = program.kernel("rehash");
    this.#target.write(first);
    await this.#launch(program.kernel("enter_first"), 0, 1, []);
    if (this.#store.tail !== 1) throw new Error("the device has not entered the first state");
    this.#levels.push(1);
    let stop: DeviceStop | "overflow" | undefined;
    for (let level = 0; ; level++) {
      const [from, to] = [nth(this.#levels, level), nth(this.#levels, level + 1)];
      const before = this.#store.states;
      const isLast = level >= (this.#options.budget.maxDepth ?? Infinity);
      stop = await this.#expandLevel(explore, rehash, level, from, to, !isLast);
      this.#levels.push(this.#store.tail);
      // sound: test/engines/gpu/differential.test.ts
      if (this.#store.states > before) this.#depth = level + 1;
      this.#peak = Math.max(this.#peak, this.#store.states - before);
      if (stop) break;
      if (this.#causes.errors >= this.#options.maxErrors) stop = "errors";
      else if (isLast) stop = "depth";
      if (stop || this.#store.states === before) break;
    }
    if (stop === "overflow") return this.#whenOverflown();
    if (stop === "memory" && asksForTree) return "memory";
    if (this.#settings.verifies) await this.#verify((await this.#build("LATER")).kernel("verify"));
    this.#keepMarks();
    return this.#result(stop, await this.#violations());
  }

  /** A variant of the text: `LATER` has the kernels that few searches need, `BACKWARDS` compares successors with a target. */
  async #build(variant?: "LATER" | "BACKWARDS"): Promise<DeviceProgram> {
    const { text } = this.#kernels;
    const program = await this.#device.build(
      variant ? `#define ${variant}\n${text}` : text,
      this.#settings.compilerOptions,
    );
    this.#buildSeconds += program.buildSeconds;
    return program;
  }

  /** The states of a level, in launches that are not too long. */
  async #expandLevel(
    explore: DeviceKernel,
    rehash: DeviceKernel,
    level: number,
    from: number,
    to: number,
    isExpanded: boolean,
  ): Promise<DeviceStop | "overflow" | undefined> {
    const { budget, control } = this.#options;
    const flags = [this.#options.invariants.length > 0 ? 1 : 0, isExpanded ? 1 : 0, BigInt(to)];
    for (let at = from; at < to;) {
      const end = Math.min(to, at + this.#slice);
      const started = performance.now();
      await this.#launch(explore, at, end, flags);
      const stop = this.#requests();
      if (stop) return stop;
      // sound: test/engines/gpu/differential.test.ts
      if (this.#block[Result.full] !== 0n) {
        this.#store.tail = Math.min(this.#store.tail, this.#store.limit);
        const hasGrown =
          this.#block[Result.nodesFull] === 0n ? await this.#grow(rehash) : await this.#growNodes(rehash);
        if (!hasGrown) return "memory";
      } else {
        this.#count(level);
        at = end;
        const now = performance.now();
        if (now - started > 2 * SLICE_MS) this.#slice = Math.max(LEAST_SLICE, Math.floor(this.#slice / 2));
        else if (now - started < SLICE_MS / 2) this.#slice = Math.min(MOST_SLICE, 2 * this.#slice);
      }
      const outside = await this.#looksOutside(level, to - at);
      if (outside) return outside;
      if (this.#store.states > (budget.maxStates ?? Infinity)) return "states";
      if (control.isStopped?.()) return "interrupted";
    }
    return undefined;
  }

  /** Requests of the step code in the last launch. */
  #requests(): DeviceStop | "overflow" | undefined {
    const block = this.#block;
    if (block[Result.beyond] !== 0n) throw new NotStepCode("a step that widens states");
    const number = Number(block[Result.host]);
    if (number > 0) {
      const [first, second] = [Result.hostFirst, Result.hostSecond].map((k) =>
        Number(BigInt.asIntN(32, block[k]!)),
      );
      // Throws where the layout is exceeded.
      // sound: test/engines/gpu/differential.test.ts
      nth(this.#kernels.model.calls, number - 1)(first!, second!);
      return "step";
    }
    return block[Result.overflow] === 0n ? undefined : "overflow";
  }

  /** More room, up to a limit: a step with more intermediate states is left to the processor. */
  #whenOverflown(): "inside" {
    if (4 * this.#room <= MOST_ROOM) return "inside";
    throw new NotStepCode(`a step runs through more than ${this.#room} intermediate states`);
  }

  #count(level: number): void {
    for (let i = 0; i < STRIPES; i++) this.#transitions += Number(this.#block[Result.transitions + i]);
    this.#causes.add(this.#block, level);
    this.#reduced += Number(this.#block[Result.reduced]);
    this.#fullByProviso += Number(this.#block[Result.fullByProviso]);
    this.#rejected += Number(this.#block[Result.rejected]);
    const { firstCounter } = this.#kernels;
    for (let i = 0; i < this.#counted.length; i++) this.#counted[i]! += Number(this.#block[firstCounter + i]);
  }

  async #launch(
    kernel: DeviceKernel,
    from: number,
    to: number,
    more: readonly DeviceArgument[],
  ): Promise<void> {
    const store = this.#store;
    const block = this.#block;
    block.fill(0n);
    block[Result.tail] = BigInt(store.tail);
    for (let cause = 0; cause < this.#kernels.causes; cause++) block[Result.causes + 2 * cause + 1] = NO_HASH;
    this.#results.write(block);
    const items = Math.min(this.#lanes, to - from);
    const values = [
      ...store.arguments(),
      this.#results,
      BigInt(store.limit),
      this.#checks,
      this.#marks,
      this.#inside,
      this.#target,
      ...store.nodeArguments,
      BigInt(from),
      BigInt(to),
      ...more,
    ];
    this.#deviceSeconds += await kernel.run(items, this.#group, values);
    this.#launches++;
    this.#results.read(block);
    store.tail = Number(block[Result.tail]);
    store.holeCount += Number(block[Result.holes]);
  }

  /** False: the memory is spent. */
  async #grow(rehash: DeviceKernel): Promise<boolean> {
    for (;;) {
      const grown = this.#store.grow();
      if (grown !== "rehash") return grown === "grown";
      if (await this.#rehash(rehash)) return true;
    }
  }

  /** Replaces the table of nodes: all states are recoded for the new one. False: the memory is spent. */
  async #growNodes(rehash: DeviceKernel): Promise<boolean> {
    const larger = this.#store.largerNodes();
    if (!larger) return false;
    const recode = this.#program?.kernel("recode");
    if (!recode) throw new Error("a flat store has no nodes");
    for (let at = 0; at < this.#store.tail; at += MOST_SLICE) {
      const end = Math.min(this.#store.tail, at + MOST_SLICE);
      await this.#launch(recode, at, end, [larger, BigInt(larger.bytes / 8)]);
      if (this.#block[Result.full] !== 0n)
        throw new Error("internal error: a larger table has too little room");
    }
    this.#store.replaceNodes(larger);
    return (await this.#rehash(rehash)) || (await this.#grow(rehash));
  }

  /** False: a part of the table is full. */
  async #rehash(kernel: DeviceKernel): Promise<boolean> {
    const before = this.#deviceSeconds;
    let hasRoom = true;
    for (let at = 0; hasRoom && at < this.#store.tail; at += MOST_SLICE) {
      await this.#launch(kernel, at, Math.min(this.#store.tail, at + MOST_SLICE), []);
      // sound: test/engines/gpu/differential.test.ts
      hasRoom = this.#block[Result.full] === 0n;
    }
    this.#rehashSeconds += this.#deviceSeconds - before;
    return hasRoom;
  }

  async #verify(kernel: DeviceKernel): Promise<void> {
    await this.#launch(kernel, 0, this.#store.tail, []);
    const found = nth(this.#block, Result.duplicates);
    if (found !== 0n) throw new Error(`internal error: the device entered ${found} states twice`);
  }

  async #looksOutside(level: number, left: number): Promise<DeviceStop | undefined> {
    const now = performance.now();
    const { budget, control } = this.#options;
    if (now - this.#lastReport >= REPORT_MS) {
      this.#lastReport = now;
      control.onProgress?.({
        states: this.#store.states,
        transitions: this.#transitions,
        depth: level,
        frontier: left + this.#store.tail - lastOf(this.#levels),
        bytes: this.#store.bytes,
        seconds: (now - this.#started) / 1000,
      });
      await new Promise((resolve) => setImmediate(resolve));
    }
    const deadline = this.#started + (budget.timeMs ?? Infinity);
    return isTimeUp(budget, now, deadline) ? "time" : undefined;
  }

  #keepMarks(): void {
    const read = new Uint8Array(this.#marks.bytes);
    this.#marks.read(read);
    for (const { bytes, first } of this.#kernels.model.marks)
      for (let i = 0; i < bytes.length; i++) if (read[first + i] !== 0) bytes[i] = 1;
    for (const { counts, first } of this.#kernels.model.counters)
      for (let i = 0; i < counts.length; i++) counts[i]! += this.#counted[first + i]!;
    this.#model.system.step?.visited?.((id) => this.#numbered(id), this.#store.states);
  }

  #violations(): Promise<readonly DeviceViolation[]> {
    const backwards = new Backwards({
      model: this.#model,
      levels: this.#levels,
      store: this.#store,
      target: this.#target,
      results: this.#block,
      found: this.#buffer(4 * 64),
      launch: (kernel, from, to, more) => this.#launch(kernel, from, to, more),
      kernel: async (name) => (await this.#build(name === "locate" ? "LATER" : "BACKWARDS")).kernel(name),
    });
    return backwards.violations(this.#causes);
  }

  /** A stored state near that number: holes are passed over. */
  #numbered(id: number): Words {
    const { tail } = this.#store;
    for (let index = Math.min(id - 1, tail - 1); index < tail; index++)
      if (!this.#store.isHole(index)) return this.#store.read(index);
    return this.#store.read(0);
  }

  #result(stop: DeviceStop | undefined, violations: readonly DeviceViolation[]): DeviceResult {
    const { states, entries, holeCount, width } = this.#store;
    const { info } = this.#device;
    return {
      violations: violations.length > 0 ? violations : this.#causes.startViolations(),
      stop,
      store: {
        count: states,
        width,
        numbered: () => {
          throw new Error("the states of a device are gone when its search has ended");
        },
      },
      stats: {
        states,
        transitions: this.#transitions,
        matched: this.#transitions - Math.max(0, states - 1),
        depth: this.#depth,
        peakFrontier: this.#peak,
        seconds: (performance.now() - this.#started) / 1000,
        peakBytes: this.#store.peakBytes,
        bytesPerState: states === 0 ? 0 : this.#store.usedBytes / states,
        tableBytes: 8 * entries,
        stateBytes: 4 * width,
        backend: "opencl",
        ...(this.#proviso
          ? {
              partialOrder: {
                proviso: this.#proviso,
                reduced: this.#reduced,
                fullByProviso: this.#fullByProviso,
                rejected: this.#rejected,
              },
            }
          : {}),
        device: {
          name: info.name,
          kind: info.kind,
          buildSeconds: this.#buildSeconds,
          deviceSeconds: this.#deviceSeconds,
          rehashSeconds: this.#rehashSeconds,
          launches: this.#launches,
          levels: this.#depth + 1,
          occupancy: states / entries,
          holes: holeCount,
          memoryBytes: this.#settings.memoryBytes,
          store: this.#settings.isTree ? "tree" : "flat",
        },
      },
    };
  }
}

const NO_HASH = 2n ** 64n - 1n;
/** A tree takes two words a state, and nodes. */
const LEAST_WIDTH_THAT_SHRINKS = 5;
const FIRST_ROOM = 16;
const MOST_ROOM = 4096;
const SLICE_MS = 100;
const LEAST_SLICE = 256;
const MOST_SLICE = 2 ** 28;
const REPORT_MS = 200;

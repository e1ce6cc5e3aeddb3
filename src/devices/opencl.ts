/** Devices of OpenCL: the list of them, and one that is opened. */
import {
  DeviceProblem,
  type Device,
  type DeviceArgument,
  type DeviceBuffer,
  type DeviceInfo,
  type DeviceKernel,
  type DeviceProgram,
  type DeviceSource,
} from "../model/index.js";
import { nth } from "../model/known.js";
import { Cl, type Handle, type OpenClLibrary } from "./library.js";

export interface OpenClOptions {
  /** After this time without an answer a device is given up. */
  readonly hangMs?: number;
}

interface Found {
  readonly handle: Handle;
  readonly info: DeviceInfo;
}

export class OpenClDevices implements DeviceSource {
  readonly #library: OpenClLibrary;
  readonly #hangMs: number;
  /** Message if there is no device. */
  readonly #hint: string;

  constructor(library: OpenClLibrary, { hangMs = HANG_MS }: OpenClOptions = {}, hint = "") {
    this.#library = library;
    this.#hangMs = hangMs;
    this.#hint = hint;
  }

  list(): readonly DeviceInfo[] {
    return this.#found().map(({ info }) => info);
  }

  open(choice: string | undefined): Device {
    const found = this.#found();
    if (found.length === 0)
      throw new DeviceProblem("absent", "OpenCL finds no device", this.#hint === "" ? INSTALL : this.#hint);
    const wanted = choice === undefined ? found : chosen(found, choice);
    const names = found.map(({ info }, i) => `${i} (${info.name})`).join(", ");
    if (wanted.length === 0)
      throw new DeviceProblem("absent", `there is no device '${choice}'`, `--device takes one of: ${names}`);
    const usable = wanted.find(({ info }) => info.lacks.length === 0);
    if (!usable) {
      const { name, lacks } = nth(wanted, 0).info;
      throw new DeviceProblem(
        "unsuitable",
        `the device '${name}' lacks ${lacks.join(" and ")}`,
        `devices: ${names}`,
      );
    }
    return new OpenClDevice(this.#library, usable, this.#hangMs);
  }

  #found(): Found[] {
    const all = this.#platforms().flatMap((platform) => {
      const name = this.#text((bytes, out, size) =>
        this.#library.clGetPlatformInfo(platform, Cl.platformName, bytes, out, size),
      );
      return this.#devices(platform).map((handle): Found => ({ handle, info: this.#info(handle, name) }));
    });
    // Accelerators come before processors, regardless of the order of platforms.
    // sound: test/devices/opencl.test.ts
    return all.sort((a, b) => RANK[a.info.kind] - RANK[b.info.kind]);
  }

  #platforms(): Handle[] {
    const count = new Uint32Array(1);
    const status = this.#library.clGetPlatformIDs(0, null, count);
    if (status === Cl.platformNotFound || count[0] === 0) return [];
    check(status, "clGetPlatformIDs");
    const ids = new BigUint64Array(nth(count, 0));
    check(this.#library.clGetPlatformIDs(ids.length, ids, null), "clGetPlatformIDs");
    return [...ids];
  }

  #devices(platform: Handle): Handle[] {
    const count = new Uint32Array(1);
    const status = this.#library.clGetDeviceIDs(platform, Cl.allDevices, 0, null, count);
    if (status === Cl.deviceNotFound || count[0] === 0) return [];
    check(status, "clGetDeviceIDs");
    const ids = new BigUint64Array(nth(count, 0));
    check(this.#library.clGetDeviceIDs(platform, Cl.allDevices, ids.length, ids, null), "clGetDeviceIDs");
    return [...ids];
  }

  #info(device: Handle, platform: string): DeviceInfo {
    const text = (what: number): string =>
      this.#text((bytes, out, size) => this.#library.clGetDeviceInfo(device, what, bytes, out, size));
    const number = (what: number): bigint => {
      const out = new BigUint64Array(1);
      check(
        this.#library.clGetDeviceInfo(device, what, 8, new Uint8Array(out.buffer), null),
        "clGetDeviceInfo",
      );
      return nth(out, 0);
    };
    const type = number(Cl.deviceType);
    const extensions = text(Cl.deviceExtensions).split(/\s+/);
    return {
      name: text(Cl.deviceName),
      vendor: text(Cl.deviceVendor),
      platform,
      kind: (type & Cl.typeGpu) !== 0n ? "gpu" : (type & Cl.typeCpu) !== 0n ? "cpu" : "other",
      memoryBytes: Number(number(Cl.globalBytes)),
      mostBytes: Number(number(Cl.mostBytes)),
      computeUnits: Number(number(Cl.computeUnits) & 0xffffffffn),
      driver: text(Cl.driverVersion),
      // sound: test/devices/opencl.test.ts
      lacks: extensions.includes(ATOMICS) ? [] : [`64-bit atomic operations (${ATOMICS})`],
    };
  }

  #text(ask: (bytes: number, out: Uint8Array | null, size: BigUint64Array | null) => number): string {
    return textOf(ask);
  }
}

const RANK = { gpu: 0, other: 1, cpu: 2 };

function chosen(found: readonly Found[], choice: string): Found[] {
  if (/^\d+$/.test(choice)) return found.filter((_, i) => i === Number(choice));
  return found.filter(({ info }) => info.name.toLowerCase().includes(choice.toLowerCase()));
}

function textOf(ask: (bytes: number, out: Uint8Array | null, size: BigUint64Array | null) => number): string {
  const size = new BigUint64Array(1);
  check(ask(0, null, size), "OpenCL");
  const bytes = new Uint8Array(Number(nth(size, 0)));
  check(ask(bytes.length, bytes, null), "OpenCL");
  return new TextDecoder().decode(bytes).replace(/\0+$/, "").trim();
}

class OpenClDevice implements Device {
  readonly info: DeviceInfo;
  readonly #library: OpenClLibrary;
  readonly #device: Handle;
  readonly #context: Handle;
  readonly #queue: Handle;
  readonly #hangMs: number;
  readonly #programs: Handle[] = [];
  readonly #kernels: Handle[] = [];
  #isGone = false;

  constructor(library: OpenClLibrary, { handle, info }: Found, hangMs: number) {
    this.info = info;
    this.#library = library;
    this.#device = handle;
    this.#hangMs = hangMs;
    const error = new Int32Array(1);
    this.#context = library.clCreateContext(null, 1, BigUint64Array.of(handle), null, null, error);
    check(nth(error, 0), "clCreateContext");
    this.#queue = library.clCreateCommandQueue(this.#context, handle, Cl.profiling, error);
    check(nth(error, 0), "clCreateCommandQueue");
  }

  async build(text: string, options = ""): Promise<DeviceProgram> {
    const started = performance.now();
    const error = new Int32Array(1);
    const program = this.#library.clCreateProgramWithSource(this.#context, 1, [text], null, error);
    check(nth(error, 0), "clCreateProgramWithSource");
    this.#programs.push(program);
    const status = await this.#answered(
      this.#library.clBuildProgram(program, this.#device, `-w ${options}`),
      "the compiler",
    );
    if (status !== 0) {
      const log = textOf((bytes, out, size) =>
        this.#library.clGetProgramBuildInfo(program, this.#device, Cl.buildLog, bytes, out, size),
      );
      throw new DeviceProblem(
        "build",
        `the driver of '${this.info.name}' refuses the kernel (OpenCL error ${status}): ${log.slice(0, MOST_LOG)}`,
        "check the model without --engine gpu, and report the log",
      );
    }
    return {
      buildSeconds: (performance.now() - started) / 1000,
      kernel: (name) => this.#kernel(program, name),
    };
  }

  allocate(bytes: number): DeviceBuffer {
    const error = new Int32Array(1);
    const handle = this.#library.clCreateBuffer(this.#context, Cl.readWrite, bytes, null, error);
    check(nth(error, 0), `a buffer of ${bytes} bytes`);
    return new OpenClBuffer(this.#library, this.#queue, handle, bytes);
  }

  close(): void {
    // A driver that does not answer would not return from these either.
    // sound: test/devices/opencl.test.ts
    if (this.#isGone) return;
    for (const kernel of this.#kernels) this.#library.clReleaseKernel(kernel);
    for (const program of this.#programs) this.#library.clReleaseProgram(program);
    this.#library.clReleaseCommandQueue(this.#queue);
    this.#library.clReleaseContext(this.#context);
  }

  #kernel(program: Handle, name: string): DeviceKernel {
    const error = new Int32Array(1);
    const kernel = this.#library.clCreateKernel(program, name, error);
    check(nth(error, 0), `the kernel ${name}`);
    this.#kernels.push(kernel);
    return { run: (items, group, values) => this.#run(kernel, items, group, values) };
  }

  async #run(
    kernel: Handle,
    items: number,
    group: number,
    values: readonly DeviceArgument[],
  ): Promise<number> {
    values.forEach((value, index) => {
      const word = wordOf(value);
      check(this.#library.clSetKernelArg(kernel, index, word.byteLength, word), `argument ${index}`);
    });
    const event = new BigUint64Array(1);
    const global = BigUint64Array.of(BigInt(Math.ceil(items / group) * group));
    const local = BigUint64Array.of(BigInt(group));
    check(
      this.#library.clEnqueueNDRangeKernel(this.#queue, kernel, 1, null, global, local, 0, null, event),
      "a kernel",
    );
    check(this.#library.clFlush(this.#queue), "clFlush");
    try {
      await this.#finished(nth(event, 0));
      return this.#seconds(nth(event, 0));
    } finally {
      if (!this.#isGone) this.#library.clReleaseEvent(nth(event, 0));
    }
  }

  /** Polls, first without a pause: most kernels are short. */
  async #finished(event: Handle): Promise<void> {
    const started = performance.now();
    const status = new Int32Array(1);
    for (;;) {
      check(this.#library.clGetEventInfo(event, Cl.executionStatus, 4, status, null), "clGetEventInfo");
      if (status[0] === 0) return;
      if (nth(status, 0) < 0) check(nth(status, 0), "a kernel");
      const waited = performance.now() - started;
      if (waited > this.#hangMs) this.#giveUp("a kernel");
      if (waited < SPIN_MS) continue;
      await new Promise((resolve) => (waited < 20 ? setImmediate(resolve) : setTimeout(resolve, 1)));
    }
  }

  async #answered<T>(answer: Promise<T>, what: string): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        try {
          this.#giveUp(what);
        } catch (error) {
          reject(error as Error);
        }
      }, this.#hangMs);
    });
    try {
      return await Promise.race([answer, limit]);
    } finally {
      clearTimeout(timer);
    }
  }

  #giveUp(what: string): never {
    this.#isGone = true;
    const seconds = Math.round(this.#hangMs / 1000);
    throw new DeviceProblem(
      "hang",
      `${what} on '${this.info.name}' did not end within ${seconds} s`,
      "check the model without --engine gpu, or reset the device",
    );
  }

  #seconds(event: Handle): number {
    const [start, end] = [new BigUint64Array(1), new BigUint64Array(1)];
    check(
      this.#library.clGetEventProfilingInfo(event, Cl.started, 8, start, null),
      "clGetEventProfilingInfo",
    );
    check(this.#library.clGetEventProfilingInfo(event, Cl.ended, 8, end, null), "clGetEventProfilingInfo");
    return Number(nth(end, 0) - nth(start, 0)) / 1e9;
  }
}

class OpenClBuffer implements DeviceBuffer {
  readonly bytes: number;
  readonly handle: Handle;
  readonly #library: OpenClLibrary;
  readonly #queue: Handle;

  constructor(library: OpenClLibrary, queue: Handle, handle: Handle, bytes: number) {
    this.#library = library;
    this.#queue = queue;
    this.handle = handle;
    this.bytes = bytes;
  }

  write(from: ArrayBufferView, at = 0): void {
    check(
      this.#library.clEnqueueWriteBuffer(
        this.#queue,
        this.handle,
        1,
        at,
        from.byteLength,
        from,
        0,
        null,
        null,
      ),
      "writing to the device",
    );
  }

  read(into: ArrayBufferView, at = 0): void {
    check(
      this.#library.clEnqueueReadBuffer(
        this.#queue,
        this.handle,
        1,
        at,
        into.byteLength,
        into,
        0,
        null,
        null,
      ),
      "reading from the device",
    );
  }

  /** In pieces: the driver of an H200 did not return from filling 18 GB at once. */
  clear(): void {
    const zero = new BigUint64Array(1);
    for (let at = 0; at < this.bytes; at += MOST_FILLED) {
      const bytes = Math.min(MOST_FILLED, this.bytes - at);
      check(
        this.#library.clEnqueueFillBuffer(this.#queue, this.handle, zero, 8, at, bytes, 0, null, null),
        "clearing memory of the device",
      );
    }
  }

  free(): void {
    this.#library.clReleaseMemObject(this.handle);
  }
}

function wordOf(value: DeviceArgument): ArrayBufferView {
  if (typeof value === "number") return Uint32Array.of(value);
  if (typeof value === "bigint") return BigUint64Array.of(value);
  return BigUint64Array.of((value as OpenClBuffer).handle);
}

function check(status: number, what: string): void {
  if (status === 0) return;
  if ((Cl.outOfMemory as readonly number[]).includes(status))
    throw new DeviceProblem(
      "memory",
      `the device has no memory left: ${what} (OpenCL error ${status})`,
      "give the search less with --gpu-memory",
    );
  throw new DeviceProblem(
    "lost",
    `the device failed: ${what} (OpenCL error ${status})`,
    "check the model without --engine gpu, or reset the device",
  );
}

const ATOMICS = "cl_khr_int64_base_atomics";
const HANG_MS = 120_000;
const SPIN_MS = 2;
const MOST_FILLED = 2 ** 30;
const MOST_LOG = 4_000;
export const INSTALL =
  "install the driver of a graphics processor with its OpenCL library, or PoCL (Debian: pocl-opencl-icd ocl-icd-libopencl1)";

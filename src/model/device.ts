/** A device that runs kernels beside the processor. Engines use this interface; `devices/` implements it over OpenCL. */

export interface DeviceInfo {
  readonly name: string;
  readonly vendor: string;
  readonly platform: string;
  /** A processor that runs kernels is no accelerator. */
  readonly kind: "gpu" | "cpu" | "other";
  readonly memoryBytes: number;
  /** Of one buffer. */
  readonly mostBytes: number;
  readonly computeUnits: number;
  readonly driver: string;
  /** Features that a search needs and the device lacks; empty: it can be used. */
  readonly lacks: readonly string[];
}

export interface Device {
  readonly info: DeviceInfo;
  /** `options`: of the driver's compiler. */
  build(text: string, options?: string): Promise<DeviceProgram>;
  /** Contents are undefined. */
  allocate(bytes: number): DeviceBuffer;
  close(): void;
}

export interface DeviceBuffer {
  readonly bytes: number;
  write(from: ArrayBufferView, at?: number): void;
  read(into: ArrayBufferView, at?: number): void;
  clear(): void;
  free(): void;
}

export interface DeviceProgram {
  kernel(name: string): DeviceKernel;
  readonly buildSeconds: number;
}

/** A number is a `uint`, a bigint a `ulong`. */
export type DeviceArgument = DeviceBuffer | number | bigint;

export interface DeviceKernel {
  /** Runs `items` work items in groups; seconds on the device. */
  run(items: number, group: number, values: readonly DeviceArgument[]): Promise<number>;
}

/**
 * `absent`: no library or no device; `unsuitable`: it lacks something; `build`: a kernel was refused; `memory`: none is left; `lost`: the
 * device or its driver failed; `hang`: it did not answer within the limit.
 */
export type DeviceProblemKind = "absent" | "unsuitable" | "build" | "memory" | "lost" | "hang";

export class DeviceProblem extends Error {
  override readonly name = "DeviceProblem";
  readonly kind: DeviceProblemKind;
  /** What to do about it. */
  readonly hint: string;

  constructor(kind: DeviceProblemKind, message: string, hint = "") {
    super(message);
    this.kind = kind;
    this.hint = hint;
  }
}

export interface DeviceSource {
  /** All devices, accelerators first. */
  list(): readonly DeviceInfo[];
  /** By number in that list, or by a part of the name; undefined: the first that can be used. Throws `DeviceProblem`. */
  open(choice: string | undefined): Device;
}

export interface DeviceFigures {
  readonly name: string;
  readonly kind: string;
  readonly buildSeconds: number;
  /** Time in kernels. */
  readonly deviceSeconds: number;
  readonly rehashSeconds: number;
  readonly launches: number;
  readonly levels: number;
  /** Of the table's entries. */
  readonly occupancy: number;
  readonly holes: number;
  readonly memoryBytes: number;
  /** States are stored as their words, or as trees. */
  readonly store: "flat" | "tree";
}

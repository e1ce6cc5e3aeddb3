/** The functions of OpenCL that are used, as the foreign function interface calls them. Tests give other objects. */

/** Handles are addresses. */
export type Handle = bigint;

export interface OpenClLibrary {
  clGetPlatformIDs(entries: number, out: BigUint64Array | null, count: Uint32Array | null): number;
  clGetPlatformInfo(
    platform: Handle,
    what: number,
    bytes: number,
    out: Uint8Array | null,
    size: BigUint64Array | null,
  ): number;
  clGetDeviceIDs(
    platform: Handle,
    types: bigint,
    entries: number,
    out: BigUint64Array | null,
    count: Uint32Array | null,
  ): number;
  clGetDeviceInfo(
    device: Handle,
    what: number,
    bytes: number,
    out: Uint8Array | null,
    size: BigUint64Array | null,
  ): number;
  clCreateContext(
    properties: null,
    count: number,
    devices: BigUint64Array,
    notify: null,
    data: null,
    error: Int32Array,
  ): Handle;
  clCreateCommandQueue(context: Handle, device: Handle, properties: bigint, error: Int32Array): Handle;
  clCreateProgramWithSource(
    context: Handle,
    count: number,
    texts: readonly string[],
    lengths: null,
    error: Int32Array,
  ): Handle;
  /** In another thread. */
  clBuildProgram(program: Handle, device: Handle, options: string): Promise<number>;
  clGetProgramBuildInfo(
    program: Handle,
    device: Handle,
    what: number,
    bytes: number,
    out: Uint8Array | null,
    size: BigUint64Array | null,
  ): number;
  clCreateKernel(program: Handle, name: string, error: Int32Array): Handle;
  clSetKernelArg(kernel: Handle, index: number, bytes: number, value: ArrayBufferView): number;
  clCreateBuffer(context: Handle, flags: bigint, bytes: number, host: null, error: Int32Array): Handle;
  clEnqueueWriteBuffer(
    queue: Handle,
    buffer: Handle,
    isBlocking: number,
    at: number,
    bytes: number,
    from: ArrayBufferView,
    waits: number,
    list: null,
    event: null,
  ): number;
  clEnqueueReadBuffer(
    queue: Handle,
    buffer: Handle,
    isBlocking: number,
    at: number,
    bytes: number,
    into: ArrayBufferView,
    waits: number,
    list: null,
    event: null,
  ): number;
  clEnqueueFillBuffer(
    queue: Handle,
    buffer: Handle,
    pattern: ArrayBufferView,
    patternBytes: number,
    at: number,
    bytes: number,
    waits: number,
    list: null,
    event: null,
  ): number;
  clEnqueueNDRangeKernel(
    queue: Handle,
    kernel: Handle,
    dimensions: number,
    offset: null,
    global: BigUint64Array,
    local: BigUint64Array,
    waits: number,
    list: null,
    event: BigUint64Array,
  ): number;
  clFlush(queue: Handle): number;
  clFinish(queue: Handle): number;
  clGetEventInfo(event: Handle, what: number, bytes: number, out: Int32Array, size: null): number;
  clGetEventProfilingInfo(
    event: Handle,
    what: number,
    bytes: number,
    out: BigUint64Array,
    size: null,
  ): number;
  clReleaseEvent(event: Handle): number;
  clReleaseMemObject(buffer: Handle): number;
  clReleaseKernel(kernel: Handle): number;
  clReleaseProgram(program: Handle): number;
  clReleaseCommandQueue(queue: Handle): number;
  clReleaseContext(context: Handle): number;
}

/** Numbers of the standard. */
export const Cl = {
  deviceNotFound: -1,
  outOfMemory: [-4, -6, -61],
  buildFailure: -11,
  platformNotFound: -1001,
  platformName: 0x0902,
  allDevices: 0xffffffffn,
  deviceType: 0x1000,
  deviceName: 0x102b,
  deviceVendor: 0x102c,
  driverVersion: 0x102d,
  deviceExtensions: 0x1030,
  computeUnits: 0x1002,
  mostBytes: 0x1010,
  globalBytes: 0x101f,
  isAvailable: 0x1027,
  typeGpu: 4n,
  typeCpu: 2n,
  buildLog: 0x1183,
  profiling: 2n,
  executionStatus: 0x11d3,
  started: 0x1282,
  ended: 0x1283,
  readWrite: 1n,
} as const;

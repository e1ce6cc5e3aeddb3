/** Loads OpenCL through the optional package `koffi`, and says what is missing. */
import { existsSync, readdirSync } from "node:fs";
import { DeviceProblem, type DeviceSource } from "../model/index.js";
import { nth } from "../model/known.js";
import type { OpenClLibrary } from "./library.js";
import { INSTALL, OpenClDevices, type OpenClOptions } from "./opencl.js";

interface Foreign {
  config(values: Readonly<Record<string, number>>): void;
  load(path: string): {
    func(declaration: string): ((...values: unknown[]) => unknown) & {
      async(...values: unknown[]): void;
    };
  };
}

/** Throws `DeviceProblem` where the package or the library is not there. */
export async function openClDevices(options: OpenClOptions = {}): Promise<DeviceSource> {
  library ??= foreign().then(bind);
  return new OpenClDevices(await library, options, whyNoDevice());
}

/** Loaded once: koffi is configured before the first library. */
let library: Promise<OpenClLibrary> | undefined;

async function foreign(): Promise<Foreign> {
  try {
    const loaded = (await import("koffi")) as unknown as { default?: Foreign } & Foreign;
    const koffi = loaded.default ?? loaded;
    // Calls have stacks of their own, and drivers compile inside of calls.
    koffi.config({ sync_stack_size: STACK_BYTES, async_stack_size: STACK_BYTES });
    return koffi;
  } catch (error) {
    throw new DeviceProblem(
      "absent",
      `the package 'koffi', through which OpenCL is called, cannot be loaded (${(error as Error).message.split("\n")[0]})`,
      "npm install koffi",
    );
  }
}

function bind(koffi: Foreign): OpenClLibrary {
  const loaded = load(koffi);
  const bound: Record<string, unknown> = {};
  for (const declaration of DECLARATIONS) {
    const name = nth(/(cl\w+)\(/.exec(declaration)!, 1);
    bound[name] = loaded.func(declaration);
  }
  const build = loaded.func(
    "int clBuildProgram(uintptr_t program, uint32_t count, void *devices, const char *options, void *notify, void *data)",
  );
  bound["clBuildProgram"] = (program: bigint, _device: bigint, options: string): Promise<number> =>
    new Promise((resolve, reject) => {
      // For every device of the context, which has one: a list would have to outlive this call.
      build.async(program, 0, null, options, null, null, (error: unknown, status: number) => {
        if (error) reject(error instanceof Error ? error : new Error("clBuildProgram failed"));
        else resolve(status);
      });
    });
  for (const name of HANDLES) {
    const call = bound[name] as (...values: unknown[]) => number | bigint;
    bound[name] = (...values: unknown[]): bigint => BigInt(call(...values));
  }
  return bound as unknown as OpenClLibrary;
}

function load(koffi: Foreign): ReturnType<Foreign["load"]> {
  let problem: unknown;
  for (const name of NAMES[process.platform] ?? NAMES["linux"]!)
    try {
      return koffi.load(name);
    } catch (error) {
      problem = error;
    }
  throw new DeviceProblem(
    "absent",
    `there is no OpenCL library (${(problem as Error).message.split("\n")[0]})`,
    INSTALL,
  );
}

/** Container images often lack the file that announces the driver, although the driver is there. */
function whyNoDevice(): string {
  const driver = LIBRARY_FOLDERS.map((folder) => `${folder}/${NVIDIA}`).find((path) => existsSync(path));
  if (!driver || process.env["OCL_ICD_FILENAMES"] !== undefined) return INSTALL;
  const announced = existsSync(VENDORS) ? readdirSync(VENDORS) : [];
  if (announced.some((name) => name.includes("nvidia"))) return INSTALL;
  return `the driver ${driver} is not announced in ${VENDORS}: set OCL_ICD_FILENAMES=${NVIDIA}, or write its name to ${VENDORS}/nvidia.icd`;
}

const STACK_BYTES = 16 * 2 ** 20;
const NVIDIA = "libnvidia-opencl.so.1";
const VENDORS = "/etc/OpenCL/vendors";
const LIBRARY_FOLDERS = [
  "/usr/lib/x86_64-linux-gnu",
  "/usr/lib/aarch64-linux-gnu",
  "/usr/lib64",
  "/usr/lib",
  "/usr/local/nvidia/lib64",
];

const NAMES: Readonly<Record<string, readonly string[]>> = {
  linux: ["libOpenCL.so.1", "libOpenCL.so"],
  win32: ["OpenCL.dll"],
  darwin: ["/System/Library/Frameworks/OpenCL.framework/OpenCL"],
};

const HANDLES = [
  "clCreateContext",
  "clCreateCommandQueue",
  "clCreateProgramWithSource",
  "clCreateKernel",
  "clCreateBuffer",
];

const TRANSFER =
  "uint32_t isBlocking, size_t at, size_t bytes, void *host, uint32_t waits, void *list, void *event";

const DECLARATIONS = [
  "int clGetPlatformIDs(uint32_t entries, void *out, void *count)",
  "int clGetPlatformInfo(uintptr_t platform, uint32_t what, size_t bytes, void *out, void *size)",
  "int clGetDeviceIDs(uintptr_t platform, uint64_t types, uint32_t entries, void *out, void *count)",
  "int clGetDeviceInfo(uintptr_t device, uint32_t what, size_t bytes, void *out, void *size)",
  "uintptr_t clCreateContext(void *properties, uint32_t count, void *devices, void *notify, void *data, void *error)",
  "uintptr_t clCreateCommandQueue(uintptr_t context, uintptr_t device, uint64_t properties, void *error)",
  "uintptr_t clCreateProgramWithSource(uintptr_t context, uint32_t count, const char **texts, void *lengths, void *error)",
  "int clGetProgramBuildInfo(uintptr_t program, uintptr_t device, uint32_t what, size_t bytes, void *out, void *size)",
  "uintptr_t clCreateKernel(uintptr_t program, const char *name, void *error)",
  "int clSetKernelArg(uintptr_t kernel, uint32_t index, size_t bytes, void *value)",
  "uintptr_t clCreateBuffer(uintptr_t context, uint64_t flags, size_t bytes, void *host, void *error)",
  `int clEnqueueWriteBuffer(uintptr_t queue, uintptr_t buffer, ${TRANSFER})`,
  `int clEnqueueReadBuffer(uintptr_t queue, uintptr_t buffer, ${TRANSFER})`,
  "int clEnqueueFillBuffer(uintptr_t queue, uintptr_t buffer, void *pattern, size_t patternBytes, size_t at, size_t bytes, uint32_t waits, void *list, void *event)",
  "int clEnqueueNDRangeKernel(uintptr_t queue, uintptr_t kernel, uint32_t dimensions, void *offset, void *global, void *local, uint32_t waits, void *list, void *event)",
  "int clFlush(uintptr_t queue)",
  "int clFinish(uintptr_t queue)",
  "int clGetEventInfo(uintptr_t event, uint32_t what, size_t bytes, void *out, void *size)",
  "int clGetEventProfilingInfo(uintptr_t event, uint32_t what, size_t bytes, void *out, void *size)",
  "int clReleaseEvent(uintptr_t event)",
  "int clReleaseMemObject(uintptr_t buffer)",
  "int clReleaseKernel(uintptr_t kernel)",
  "int clReleaseProgram(uintptr_t program)",
  "int clReleaseCommandQueue(uintptr_t queue)",
  "int clReleaseContext(uintptr_t context)",
];

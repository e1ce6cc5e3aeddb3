/** Devices of a library that is not there: lost, without memory, with a compiler that refuses, or that never answers. */
import { describe, expect, it } from "vitest";
import { Cl, type OpenClLibrary } from "../../src/devices/library.js";
import { OpenClDevices } from "../../src/devices/opencl.js";

interface Fake {
  readonly name: string;
  readonly type: bigint;
  readonly extensions?: string;
}

const GPU: Fake = { name: "Card", type: Cl.typeGpu };
const CPU: Fake = { name: "Host", type: Cl.typeCpu };

/** Every function succeeds unless `more` says otherwise. */
function library(
  devices: readonly Fake[],
  more: Partial<OpenClLibrary> = {},
): OpenClLibrary & { calls: string[] } {
  const calls: string[] = [];
  const text = (value: string, out: Uint8Array | null, size: BigUint64Array | null): number => {
    const bytes = new TextEncoder().encode(`${value}\0`);
    if (size) size[0] = BigInt(bytes.length);
    out?.set(bytes);
    return 0;
  };
  const fake: Partial<OpenClLibrary> = {
    // Each device has a platform of its own.
    clGetPlatformIDs: (_entries, out, count) => {
      if (count) count[0] = devices.length;
      devices.forEach((_, i) => out && (out[i] = BigInt(i + 1)));
      return 0;
    },
    clGetPlatformInfo: (_platform, _what, _bytes, out, size) => text("Platform", out, size),
    clGetDeviceIDs: (platform, _types, _entries, out, count) => {
      if (count) count[0] = 1;
      if (out) out[0] = platform;
      return 0;
    },
    clGetDeviceInfo: (device, what, _bytes, out, size) => {
      const { name, type, extensions = "cl_khr_int64_base_atomics" } = devices[Number(device) - 1]!;
      if (what === Cl.deviceName) return text(name, out, size);
      if (what === Cl.deviceExtensions) return text(extensions, out, size);
      if (what === Cl.deviceVendor || what === Cl.driverVersion) return text("1", out, size);
      new BigUint64Array(out!.buffer)[0] = what === Cl.deviceType ? type : 1024n;
      return 0;
    },
    clBuildProgram: () => Promise.resolve(0),
    clGetProgramBuildInfo: (_program, _device, _what, _bytes, out, size) =>
      text("line 3: no such thing", out, size),
    clEnqueueNDRangeKernel: (_q, _k, _d, _o, _g, _l, _w, _list, event) => {
      event[0] = 7n;
      return 0;
    },
    clGetEventInfo: (_event, _what, _bytes, out) => {
      out[0] = 0;
      return 0;
    },
    ...more,
  };
  const known = fake as Record<string, unknown>;
  return new Proxy(
    { calls },
    {
      get: (_target, name: string) => {
        if (name === "calls") return calls;
        return (...values: unknown[]): unknown => {
          calls.push(name);
          const call = known[name] as ((...v: unknown[]) => unknown) | undefined;
          if (call) return call(...values);
          return name.startsWith("clCreate") ? 1n : 0;
        };
      },
    },
  ) as unknown as OpenClLibrary & { calls: string[] };
}

const opened = (more: Partial<OpenClLibrary> = {}, hangMs = 1000) =>
  new OpenClDevices(library([GPU], more), { hangMs }).open(undefined);

describe("devices of OpenCL", () => {
  it("lists accelerators first, and opens by number and name", () => {
    const devices = new OpenClDevices(library([CPU, GPU]));
    expect(devices.list().map(({ name, kind }) => [name, kind])).toEqual([
      ["Card", "gpu"],
      ["Host", "cpu"],
    ]);
    expect(devices.open(undefined).info.name).toBe("Card");
    expect(devices.open("1").info.name).toBe("Host");
    expect(devices.open("host").info.name).toBe("Host");
    expect(() => devices.open("other")).toThrow("there is no device 'other'");
  });

  it("says that there is no device, and which lacks 64-bit atomics", () => {
    expect(() => new OpenClDevices(library([])).open(undefined)).toThrow("OpenCL finds no device");
    const weak = new OpenClDevices(library([{ ...GPU, extensions: "cl_khr_fp64" }]));
    expect(() => weak.open(undefined)).toThrow("'Card' lacks 64-bit atomic operations");
  });

  it("gives the log of a compiler that refuses", async () => {
    const device = opened({ clBuildProgram: () => Promise.resolve(Cl.buildFailure) });
    await expect(device.build("text")).rejects.toMatchObject({
      kind: "build",
      message: expect.stringContaining("line 3: no such thing") as string,
    });
  });

  it("says that memory is spent", () => {
    const device = opened({
      clCreateBuffer: (_context, _flags, _bytes, _host, error) => {
        error[0] = -4;
        return 0n;
      },
    });
    expect(() => device.allocate(100)).toThrow(expect.objectContaining({ kind: "memory" }) as Error);
  });

  it("says that the device was lost", async () => {
    const device = opened({
      clGetEventInfo: (_event, _what, _bytes, out) => {
        out[0] = -36;
        return 0;
      },
    });
    const kernel = (await device.build("text")).kernel("k");
    await expect(kernel.run(1, 1, [])).rejects.toMatchObject({ kind: "lost" });
  });

  it("gives up a kernel and a compiler that do not answer, and calls the driver no more", async () => {
    const fake = library([GPU], {
      clGetEventInfo: (_event, _what, _bytes, out) => {
        out[0] = 1;
        return 0;
      },
    });
    const device = new OpenClDevices(fake, { hangMs: 20 }).open(undefined);
    const kernel = (await device.build("text")).kernel("k");
    await expect(kernel.run(1, 1, [])).rejects.toMatchObject({ kind: "hang" });
    device.close();
    expect(fake.calls.filter((name) => name.startsWith("clRelease"))).toEqual([]);
    const silent = opened({ clBuildProgram: () => new Promise(() => undefined) }, 20);
    await expect(silent.build("text")).rejects.toMatchObject({ kind: "hang" });
  });
});

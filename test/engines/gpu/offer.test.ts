/** Large searches move to a graphics processor, if there is one, and come back if it cannot finish. */
import { describe, expect, it } from "vitest";
import { openClDevices } from "../../../src/devices/koffi.js";
import { searchCompactly, type DeviceOffer } from "../../../src/engines/explicit/index.js";
import { searchOnDevice } from "../../../src/engines/gpu/index.js";
import { DeviceProblem, type Control, type DeviceSource, type Model } from "../../../src/model/index.js";
import { load, registry } from "../../../src/session/index.js";
import { openOffered } from "../../../src/session/engines/offered-device.js";

/** 60^3 states by one process. */
const TEXT = `byte a, b, c;
active proctype P() { do :: d_step { a = (a + 1) % 60 } :: d_step { b = (b + 1) % 60 } :: d_step { c = (c + 1) % 60 } od }`;

async function modelOf(): Promise<Model> {
  const { model } = await load({ file: "test.pml", text: TEXT }, { isSearched: true }, registry);
  return model!;
}

/** Waits between slices until the device was asked for: progress is reported every 200 ms. */
async function searched(open: DeviceOffer["open"], isStopped = (): boolean => false) {
  let asked = 0;
  const control: Control = {
    isStopped: () => {
      if (asked === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      return isStopped();
    },
  };
  const { result } = await searchCompactly(
    await modelOf(),
    {
      ...{ order: "bfs", budget: {}, maxErrors: 1, checksDeadlock: true, checksSite: [], invariants: [] },
      control,
    },
    { offer: { after: 1, open: (model) => (asked++, open(model)) } },
  );
  const { states, transitions, depth, backend } = result.stats;
  return { asked, figures: [states, transitions, depth], backend, stop: result.stop };
}
const WHOLE = [216_000, 648_000, 177];

describe("a device for large searches", () => {
  it("is asked once, and takes the search over", { timeout: 240_000 }, async ({ skip }) => {
    const devices = await openClDevices().catch(() => undefined);
    if (!devices) return skip("SKIPPED: no OpenCL device");
    const found = await searched(async () => {
      const device = devices.open(undefined);
      return (model, options) =>
        searchOnDevice(model, options, device, { memoryBytes: 2 ** 27 }).finally(() => device.close());
    });
    expect(found).toEqual({ asked: 1, figures: WHOLE, backend: "opencl", stop: undefined });
  });

  it("is left where it fails or its memory is spent", { timeout: 240_000 }, async () => {
    const failing: DeviceOffer["open"] = async () => () =>
      Promise.reject(new DeviceProblem("lost", "gone", ""));
    const full: DeviceOffer["open"] = async () => async (model, options) => {
      const { result } = await searchCompactly(model, { ...options, budget: { maxStates: 10 } });
      return { ...result, stop: "memory" };
    };
    for (const open of [failing, full, async () => undefined])
      expect(await searched(open)).toMatchObject({ asked: 1, figures: WHOLE, stop: undefined });
  });

  it("does not hide that the user has stopped the search", { timeout: 240_000 }, async () => {
    let isAsked = false;
    const found = await searched(
      async () => {
        isAsked = true;
        return () => Promise.reject(new Error("is not to be searched"));
      },
      () => isAsked,
    );
    expect(found.stop).toBe("interrupted");
  });
});

describe("a device that nobody has asked for", () => {
  const listing = (...kinds: readonly string[]): DeviceSource => ({
    list: () => kinds.map((kind, i) => ({ name: `device ${i}`, kind })) as never,
    open: (choice) => ({ info: { name: `device ${choice}`, memoryBytes: 1 } }) as never,
  });
  const opened = async (source: () => Promise<DeviceSource>, model?: Model) => {
    const names: string[] = [];
    const search = await openOffered(model ?? (await modelOf()), (name) => names.push(name), source);
    return [search !== undefined, ...names];
  };

  it("is a graphics processor", async () => {
    expect(await opened(async () => listing("cpu", "gpu"))).toEqual([true, "device 1"]);
    expect(await opened(async () => listing("cpu", "cpu"))).toEqual([false]);
    expect(await opened(() => Promise.reject(new Error("no library")))).toEqual([false]);
  });

  it("is not opened for a model that it cannot search", async () => {
    const model = await modelOf();
    const system = Object.assign(Object.create(model.system), { compareFrom: 1 }) as Model["system"];
    expect(await opened(async () => listing("gpu"), { ...model, system })).toEqual([false]);
  });
});

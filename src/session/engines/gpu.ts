/** Searches one model breadth-first on a device; small searches stay on the processor. */
import { openClDevices } from "../../devices/koffi.js";
import { searchOnDevice } from "../../engines/gpu/index.js";
import type { Model, Reductions } from "../../model/index.js";
import type { EngineOptions, EngineRequest, EngineResult } from "../contracts.js";
import { search as searchByProcessor } from "./explicit.js";
import { defaultMemory } from "./offered-device.js";

export async function search(model: Model, options: EngineOptions): Promise<EngineResult> {
  const { choice, memoryBytes } = options.device ?? {};
  const device = (await openClDevices()).open(choice);
  try {
    return await searchByProcessor(model, {
      ...options,
      search: "bfs",
      store: "exact",
      deviceSearch: {
        after: device.info.kind === "gpu" ? SMALL_STATES : 0,
        search: (chosen, asked) =>
          searchOnDevice(chosen, asked, device, {
            memoryBytes: memoryBytes ?? defaultMemory(device),
            store: options.store && (options.store === "tree" ? "tree" : "flat"),
          }),
      },
    });
  } finally {
    device.close();
  }
}

/** Candidates make kernels twice as large: the driver of an H200 took 82 s for one that it compiled in 36 s without. So they are used on request. */
export function whyNoCandidates(
  { reductions: asked }: EngineRequest,
  _isTemporal: boolean,
  reductions: Reductions | undefined,
): string | undefined {
  // sound: test/engines/gpu/reduction.test.ts
  if (reductions?.proposesInStepCode !== true) return "a device has no code for its candidates";
  return asked === undefined ? "kernels compile faster without it; --reduction por asks for it" : undefined;
}

/** A processor visits so many states while the driver compiles the kernels. */
const SMALL_STATES = 100_000;

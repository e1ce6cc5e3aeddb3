/** The device that a large search moves to without being asked: a graphics processor, never a processor that poses as a device. */
import { openClDevices } from "../../devices/koffi.js";
import { searchOnDevice, whyNotOnDevice } from "../../engines/gpu/index.js";
import type { DeviceOffer } from "../../engines/explicit/index.js";
import type { Device, DeviceSource, Model } from "../../model/index.js";

/** `tell` learns the name of the device. */
export async function openOffered(
  model: Model,
  tell: (name: string) => void,
  source: () => Promise<DeviceSource> = openClDevices,
): ReturnType<DeviceOffer["open"]> {
  // sound: test/engines/gpu/offer.test.ts
  if (whyNotOnDevice(model, true) !== undefined) return undefined;
  try {
    const devices = await source();
    // sound: test/engines/gpu/offer.test.ts
    const number = devices.list().findIndex(({ kind }) => kind === "gpu");
    if (number < 0) return undefined;
    const device = devices.open(String(number));
    tell(device.info.name);
    return (chosen, asked) =>
      searchOnDevice(chosen, asked, device, { memoryBytes: defaultMemory(device) }).finally(() => {
        device.close();
      });
  } catch {
    // The search goes on where it is, as on a machine without a device.
    return undefined;
  }
}

/** Of a graphics processor most; a device that is the processor shares its memory with everything else. */
export const defaultMemory = ({ info }: Device): number =>
  info.kind === "gpu"
    ? Math.floor(0.9 * info.memoryBytes)
    : Math.min(2 ** 30, Math.floor(info.memoryBytes / 4));

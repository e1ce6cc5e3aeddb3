// A client that gives up waiting and asks again, and a service that charges for every request.
// expected "charged once": violated (assertion), 2 turns
// expected "charged once, by a key": holds
import { describe, expect } from "vitest";
import { everySchedule } from "everypath/vitest";

/** Asks again when there is no answer within a second. */
async function insist(request: () => Promise<void>): Promise<void> {
  const isLate = new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 1000));
  const first = request().then(() => false);
  if (await Promise.race([first, isLate])) await request();
}

describe("a payment", () => {
  everySchedule("charged once", async (world) => {
    let charges = 0;
    const charge = world.service("bank", () => void charges++);
    await insist(charge);
    expect(charges).toBe(1);
  });

  everySchedule("charged once, by a key", async (world) => {
    const charges = new Set<string>();
    const charge = world.service("bank", (key: string) => void charges.add(key));
    await insist(() => charge("order 7"));
    expect(charges.size).toBe(1);
  });
});

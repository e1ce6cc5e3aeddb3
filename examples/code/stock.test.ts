// Two customers buy the last item, and the shop reads its stock before writing it.
// expected "the last item is sold once": violated (assertion), 4 turns
// expected "with a reservation": holds
import { expect } from "vitest";
import { everySchedule } from "everypath/vitest";

everySchedule("the last item is sold once", async (world) => {
  let stock = 1;
  const read = world.service("read", () => stock);
  const write = world.service("write", (left: number) => void (stock = left));
  const buy = async () => (await read()) > 0 && (await write(stock - 1), true);
  const sold = await Promise.all([buy(), buy()]);
  expect(sold.filter(Boolean)).toHaveLength(1);
});

everySchedule("with a reservation", async (world) => {
  let stock = 1;
  const reserve = world.service("reserve", () => stock > 0 && stock-- > 0);
  const sold = await Promise.all([reserve(), reserve()]);
  expect(sold.filter(Boolean)).toHaveLength(1);
});

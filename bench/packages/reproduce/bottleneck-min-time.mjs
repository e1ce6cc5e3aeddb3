/** Plain Node: two jobs of a limiter with minTime 100, and another task that occupies the thread for 60 ms. */
import Bottleneck from "bottleneck";

for (let run = 1; run <= 5; run++) {
  const limiter = new Bottleneck({ minTime: 100 });
  const begun = [];
  limiter.once("scheduled", () => {
    const end = Date.now() + 60;
    while (Date.now() < end);
  });
  await Promise.all([1, 2].map(() => limiter.schedule(async () => void begun.push(Date.now()))));
  console.log(`the second job began ${begun[1] - begun[0]} ms after the first`);
}

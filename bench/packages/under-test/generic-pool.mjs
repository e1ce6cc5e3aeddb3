import genericPool from "generic-pool";
import { everySchedule } from "../../../src/testing/code.js";
import { check } from "./gate.mjs";

/** Creates resources that record their holders. */
function makeFactory(world, fails = () => false) {
  const all = [];
  return {
    all,
    alive: () => all.filter(({ destroyed }) => destroyed === 0).length,
    create: async () => {
      await world.pause("created");
      if (fails()) throw new Error("no resource can be made");
      const resource = { lent: 0, destroyed: 0 };
      all.push(resource);
      return resource;
    },
    destroy: async (resource) => {
      resource.destroyed++;
    },
  };
}

const borrow = async (world, pool, name) => {
  const resource = await pool.acquire();
  check(++resource.lent === 1 && resource.destroyed === 0, `${name} got what another has`);
  await world.pause(`${name} works`);
  resource.lent--;
  await pool.release(resource);
};

everySchedule("no resource is lent to two, at most max exist, everyone gets one", async (world) => {
  const factory = makeFactory(world);
  const pool = genericPool.createPool(factory, { max: 2 });
  await Promise.all(["a", "b", "c"].map((name) => borrow(world, pool, name)));
  check(factory.alive() <= 2, `${factory.alive()} resources exist`);
  check(pool.borrowed === 0 && pool.pending === 0, `${pool.borrowed} are lent, ${pool.pending} wait`);
});

everySchedule("everyone gets a resource although one creation fails", async (world) => {
  let failures = 1;
  const factory = makeFactory(world, () => failures > 0 && world.choose(2) === 1 && failures-- > 0);
  const pool = genericPool.createPool(factory, { max: 1 });
  await Promise.all(["a", "b"].map((name) => borrow(world, pool, name)));
});

everySchedule("after drain and clear every resource is destroyed, once", async (world) => {
  const factory = makeFactory(world);
  const pool = genericPool.createPool(factory, { max: 2, min: 1 });
  const work = Promise.all(["a", "b"].map((name) => borrow(world, pool, name)));
  await world.pause("somebody drains");
  await pool.drain();
  await work;
  await pool.clear();
  await world.sleep(1);
  check(
    factory.all.every(({ destroyed }) => destroyed === 1),
    `destroyed ${factory.all.map(({ destroyed }) => destroyed)}`,
  );
});

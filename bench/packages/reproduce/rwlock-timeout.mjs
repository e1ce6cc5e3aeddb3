/** rwlock 5.0.0: the timeout of one request removes another one from the queue. */
import ReadWriteLock from "rwlock";

const lock = new ReadWriteLock();
const write = (name, options) =>
  lock.writeLock((release) => {
    console.log(`${name} has the lock`);
    setTimeout(release, 50);
  }, options);

write("a");
write("b");
write("c", { timeout: 10, timeoutCallback: () => console.log("c timed out") });
write("d");
setTimeout(() => console.log("that was all: b has no timeout, and never got the lock"), 500);

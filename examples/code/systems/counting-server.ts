/* expected: holds */
/* expected with -D HASTY: violated (acknowledged counts are kept) */
/**
 * A server and a client as plain programs: datagrams by `node:dgram`, a file by `node:fs`. Datagrams may be lost, and a
 * crash of the server may lose unsynced writes. The server must keep acknowledged counts.
 *
 * -D HASTY: the server answers without syncing.
 */
import { createSocket } from "node:dgram";
import * as fs from "node:fs";
import { defineSystem } from "everypath/system";

const port = 7000;

function serve(syncs: boolean): { count: number } {
  const state = { count: fs.existsSync("/count") ? Number(fs.readFileSync("/count", "utf8")) : 0 };
  const socket = createSocket("udp4", (_message, sender) => {
    state.count++;
    // Writes a new file, since a crash may follow each line: overwriting the old one could lose its count.
    fs.writeFileSync("/count.new", String(state.count));
    if (syncs) sync("/count.new");
    fs.renameSync("/count.new", "/count");
    if (syncs) sync("/");
    socket.send("done", sender.port, sender.address);
  });
  socket.bind(port);
  return state;
}

/** Synchronises a file, or the names in a folder, with the disk. */
function sync(path: string): void {
  const descriptor = fs.openSync(path, "r");
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
}

class Client {
  acknowledged = 0;
  readonly #socket = createSocket("udp4", () => void this.acknowledged++).bind();

  add(): void {
    this.#socket.send("add", port, "server");
  }
}

export default defineSystem(({ HASTY = false }) => ({
  nodes: { server: () => serve(!HASTY) as never, client: () => new Client() as never },
  network: { loss: 1 },
  faults: { crashes: 1, crashing: ["server"] },
  actions: { add: { on: "client", times: 2, run: (client) => (client as unknown as Client).add() } },
  always: {
    "acknowledged counts are kept": ({ nodes, isUp }) => {
      const [server, client] = [nodes["server"], nodes["client"]] as unknown as [{ count: number }, Client];
      return !isUp("server") || server.count >= client.acknowledged;
    },
  },
}));

/** Runs one complete session: fills caches and releases everything else. */
import type { ConnectionOptions } from "./connection.js";
import type { Segment } from "./segment.js";
import { TcpStack } from "./stack.js";

export function warmUp(stack: TcpStack, options: ConnectionOptions, isClient: boolean): void {
  const other = new TcpStack({ ...options, iss: options.iss + 1000, errors: [] }, "warm-up");
  const [client, server] = isClient ? [stack, other] : [other, stack];
  server.run((connection) => connection.listen());
  exchange(
    client,
    server,
    client.run((connection) => connection.connect()),
  );
  exchange(
    client,
    server,
    client.run((connection) => connection.close()),
  );
  exchange(
    server,
    client,
    server.run((connection) => connection.close()),
  );
  if (client.timers.includes("time-wait")) client.timeOut("time-wait");
  stack.renew();
  stack.statistics.segmentsIn = stack.statistics.segmentsOut = 0;
}

/** Until both sides are silent. */
function exchange(from: TcpStack, to: TcpStack, segments: readonly Segment[]): void {
  for (const segment of segments) exchange(to, from, to.receive(segment));
}

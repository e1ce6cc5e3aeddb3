/**
 * SSH between two clients is forbidden; a network described in TypeScript. Run it with a TypeScript runner, such as `npx tsx`.
 *
 * expected: violated without the barrier, holds with it
 */
import { allPackets, checkNetwork, defineNetwork, overallVerdict, type SwitchCommand } from "everypath";

const fields = { prot: ["SSH", "OTHER"], src: ["c1", "c2"] } as const;

const ssh = (hasBarrier: boolean) => {
  const commands: SwitchCommand<typeof fields>[] = [
    { add: { priority: 5, match: { prot: "SSH" }, ports: [] } },
    // Without it the rules below may be installed first, and let SSH pass.
    ...(hasBarrier ? (["barrier"] as const) : []),
    { add: { priority: 1, port: 1, ports: [2] } },
    { add: { priority: 1, port: 2, ports: [1] } },
  ];
  return defineNetwork({
    name: "ssh",
    switches: { s1: 2, s2: 2 },
    clients: {
      c1: { sends: allPackets(fields, { src: "c1" }) },
      c2: { sends: allPackets(fields, { src: "c2" }) },
    },
    links: [
      ["c1:1", "s1:1"],
      ["s1:2", "s2:1"],
      ["s2:2", "c2:1"],
    ],
    packet: fields,
    controller: {
      initial: null,
      packetIn: ({ packet, port }) => ({
        commands: { s1: commands, s2: commands },
        ports: packet.prot === "SSH" ? [] : [3 - port],
      }),
    },
    properties: [
      {
        name: "noSSH",
        at: "clients",
        everyPacket: ({ packet, node }) => packet.src === node || packet.prot !== "SSH",
      },
    ],
  });
};

for (const hasBarrier of [false, true]) {
  const report = await checkNetwork(ssh(hasBarrier));
  process.stdout.write(
    `${hasBarrier ? "with" : "without"} barrier: ${overallVerdict(report)}, ${report.stats.states} states\n`,
  );
}

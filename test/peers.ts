/**
 * * The other tools that some tests compare with. None is needed to use or to build Everypath: a test whose tool is not installed is skipped, and its name lists the tool.
 */
import { spawnSync } from "node:child_process";
import { describe } from "vitest";
import { findClang } from "../src/programs/index.js";

/** A peer by name, and the command that tests its presence. */
const probes = {
  spin: ["spin", "-V"],
  gcc: ["gcc", "--version"],
  tcc: ["tcc", "-v"],
  rumur: ["rumur", "--version"],
  chromium: ["chromium", "--version"],
  zsh: ["zsh", "--version"],
  fish: ["fish", "--version"],
  depqbf: ["depqbf", "--version"],
  // Its commands have no option that succeeds without an input.
  fstcompile: ["fstcompile", "/dev/null"],
  mandoc: ["mandoc", "-Tlocale"],
  valgrind: ["valgrind", "--version"],
} as const;

export type Peer = keyof typeof probes;

export function hasPeer(peer: Peer): boolean {
  const known = presence.get(peer);
  if (known !== undefined) return known;
  const [command, argument] = probes[peer];
  const present = spawnSync(command, [argument], { stdio: "ignore" }).status === 0;
  presence.set(peer, present);
  return present;
}

/** `describe` if every peer is installed; otherwise one skipped suite whose name lists the missing ones. */
export function describeWithPeers(title: string, peers: readonly Peer[], suite: () => void): void {
  const missing = peers.filter((peer) => !hasPeer(peer));
  if (missing.length === 0) return void describe(title, suite);
  console.warn(`SKIPPED: ${title}: needs ${missing.join(" and ")}, not installed here`);
  describe.skip(`${title} (SKIPPED: needs ${missing.join(" and ")})`, suite);
}

const presence = new Map<Peer, boolean>();

const found = findClang(undefined);

/** Clang 15 or later, which C programs need. */
export const hasClang = "command" in found;
export const clang = "command" in found ? found.command : "clang";
if (!hasClang) console.warn("SKIPPED: tests of C programs: need clang 15 or later, not installed here");

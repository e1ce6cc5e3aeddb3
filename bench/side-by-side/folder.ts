/** The models of a folder, and a folder of generated ones. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { shapesOf } from "../shapes/index.js";

export interface ModelFile {
  /** The file's name without its extension. */
  readonly name: string;
  readonly file: string;
  readonly peer: "pan" | "rumur";
}

const peers = new Map<string, ModelFile["peer"]>([
  [".pml", "pan"],
  [".prm", "pan"],
  [".promela", "pan"],
  [".m", "rumur"],
]);

/** A file of `spin -a`, not a Murphi model. */
const SPIN_OUTPUT = "pan.m";

/** Sorted by name; `only`: names that contain one of these texts. */
export function modelsIn(folder: string, only: readonly string[] = []): readonly ModelFile[] {
  return readdirSync(folder)
    .filter((entry) => entry !== SPIN_OUTPUT)
    .sort()
    .flatMap((entry) => {
      const extension = extname(entry);
      const peer = peers.get(extension);
      const name = entry.slice(0, entry.length - extension.length);
      const isWanted = only.length === 0 || only.some((text) => name.includes(text));
      return peer && isWanted ? [{ name, file: resolve(folder, entry), peer }] : [];
    });
}

/** Writes one model of each shape; returns the files. */
export function generateModels(folder: string, scale: number): readonly string[] {
  const shapes = shapesOf(scale);
  mkdirSync(folder, { recursive: true });
  return shapes.map(({ name, text }) => {
    const file = join(folder, `${name}.pml`);
    writeFileSync(file, text);
    return file;
  });
}

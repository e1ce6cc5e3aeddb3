import type { BuildOptions } from "esbuild";

export function bundling(file: string, folder: string): BuildOptions;
export function bundleOf(file: string, folder: string): string;

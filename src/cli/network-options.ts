/** Options of checks of networks. */
import { Option, type Command } from "commander";
import type { ModelOptions } from "../session/index.js";
import { oneOf } from "./values.js";

export interface NetworkFlags {
  readonly compat?: NonNullable<ModelOptions["compat"]>;
  readonly emitMurphi?: string;
}

export const addNetworkOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--compat <encoding>",
        "networks: published, published-sets: compare figures with a published encoding; proves nothing",
      ).argParser(oneOf("--compat", ["published", "published-sets"])),
    )
    .option("--emit-murphi <file>", "networks: write the reduced network as a Murphi model");

export const networkOptions = (flags: NetworkFlags): Pick<ModelOptions, "compat"> =>
  flags.compat === undefined ? {} : { compat: flags.compat };

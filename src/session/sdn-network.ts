/** The network of a `.sdn` text, and its recipe: a network consists of functions, which do not cross threads; its text does. */
import {
  compileNetwork,
  type NetworkConfig,
  type NetworkModel,
  type NetworkSharing,
} from "../compile/network/index.js";
import { loadSdn } from "../languages/sdn/index.js";
import { Sources, hasErrors, type Diagnostic, type Recipe } from "../model/index.js";
import type { Network } from "../model/network.js";
import { parseDefine } from "./defines.js";
import { questioned } from "./languages/network-questions.js";
import type { LoadOptions } from "./contracts.js";
import type { Input } from "./request.js";

type Questions = Pick<LoadOptions, "defines" | "invariants" | "ltl" | "deadlock">;

interface Read {
  /** Absent if a diagnostic is an error. */
  readonly network: Network | undefined;
  readonly sends: number | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** With the questions of the command line. */
export function networkOf(input: Input, options: Questions & { readonly sources: Sources }): Read {
  const defines = (options.defines ?? []).map(parseDefine);
  const { network, sends, formulas, conditionOf, diagnostics } = loadSdn({
    file: input.file,
    text: input.text,
    defines: new Map(defines.map(({ name, value = "true" }) => [name, value])),
    readFile: input.readFile ?? (() => undefined),
    sources: options.sources,
  });
  if (!network) return { network, sends, diagnostics };
  const asked = questioned(network, { formulas, condition: conditionOf }, options);
  const all = [...diagnostics, ...asked.diagnostics];
  return { network: hasErrors(all) ? undefined : asked.network, sends, diagnostics: all };
}

export const SDN_MAKER = "sdn";

interface SdnData {
  readonly input: Pick<Input, "file" | "text">;
  readonly files: ReadonlyMap<string, string>;
  readonly questions: Questions;
  readonly config: NetworkConfig;
  readonly memory: SharedArrayBuffer;
}

/** `files`: texts that the network imports, by path. */
export function sharing(
  { file, text }: Input,
  files: ReadonlyMap<string, string>,
  { defines, invariants, ltl, deadlock }: LoadOptions,
): NetworkSharing {
  const questions: Questions = { defines, invariants, ltl, deadlock };
  return {
    recipe: (config, numbers) => ({
      maker: SDN_MAKER,
      // Memory is shared when the recipe crosses to another thread.
      data: {
        input: { file, text },
        files,
        questions,
        config,
        get memory() {
          return numbers.memory;
        },
      } satisfies SdnData,
    }),
  };
}

/** The same network, whose states have the same numbers. */
export function networkFromRecipe(recipe: Recipe): NetworkModel {
  const { input, files, questions, config, memory } = recipe.data as SdnData;
  const readFile = (path: string): string | undefined => files.get(path);
  const { network } = networkOf({ ...input, readFile }, { ...questions, sources: new Sources() });
  if (!network) throw new Error("the network of the recipe has errors");
  return compileNetwork(network, config, { memory, recipe: () => recipe });
}

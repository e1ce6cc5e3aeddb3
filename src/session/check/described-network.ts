/** Checks a network described in TypeScript like one loaded from a file. */
import {
  HandlerMistake,
  lowerDescription,
  type DescribedFormula,
  type NetworkDescription,
  type PacketFields,
} from "../../languages/sdn/api/index.js";
import { Sources, hasErrors, type Diagnostic } from "../../model/index.js";
import { EVERYTHING, type Network, type NetworkProperty } from "../../model/network.js";
import type { CheckReport } from "../../report/index.js";
import { checkInput, nothingChecked } from "./check.js";
import { describedNetwork } from "../declarations.js";
import { networkLoaded } from "../languages/network.js";
import { questioned } from "../languages/network-questions.js";
import type { Language, LoadOptions } from "../contracts.js";
import { registry } from "../registry.js";
import type { CheckOptions } from "../request.js";

export async function checkDescribedNetwork<F extends PacketFields, S, E extends string>(
  description: NetworkDescription<F, S, E>,
  options: CheckOptions,
): Promise<CheckReport> {
  const file = description.name ?? "network";
  const language: Language = {
    name: LANGUAGE,
    summary: "a network described in TypeScript",
    extensions: [],
    accepts: describedNetwork,
    load: async (_, given) => {
      const { network: lowered, formulas, diagnostics } = lowerDescription(description, file);
      if (!lowered) return { model: undefined, unsupported: [], diagnostics };
      const asked = described(lowered, formulas, given, file);
      if (hasErrors(asked.diagnostics))
        return { model: undefined, unsupported: [], diagnostics: asked.diagnostics };
      return networkLoaded(asked.network, description.sendLimit, given);
    },
  };
  try {
    const asked = { ...options, language: LANGUAGE };
    return (await checkInput({ file, text: "" }, asked, { ...registry, languages: [language] })).report;
  } catch (error) {
    if (!(error instanceof HandlerMistake)) throw error;
    return nothingChecked(file, LANGUAGE, [mistake(error, file)], new Sources());
  }
}

/** Each formula with its own propositions. */
const described = (
  network: Network,
  formulas: readonly DescribedFormula[],
  options: LoadOptions,
  file: string,
): ReturnType<typeof questioned> =>
  formulas.reduce(
    (asked, { name, text, propositions }) => {
      const condition = (proposition: string): NetworkProperty | readonly Diagnostic[] => {
        const holds = propositions.get(proposition);
        return holds
          ? {
              name: proposition,
              kind: "invariant",
              span: undefined,
              check: { form: "state", holds },
              observes: EVERYTHING,
            }
          : [unknownProposition(name, proposition, propositions, file)];
      };
      // The text of a description has no place that could be shown.
      options.sources.add(text, text);
      const formula = { name, text, span: { file: text, start: 0, end: text.length } };
      const next = questioned(
        asked.network,
        { formulas: [formula], condition },
        { ...options, deadlock: "off" },
      );
      return { network: next.network, diagnostics: [...asked.diagnostics, ...next.diagnostics] };
    },
    questioned(network, { formulas: [], condition: () => [] }, options),
  );

const unknownProposition = (
  formula: string,
  proposition: string,
  known: DescribedFormula["propositions"],
  file: string,
): Diagnostic => ({
  code: "sdn/bad-description",
  severity: "error",
  message: `property '${formula}': there is no proposition '${proposition}'`,
  span: { file, start: 0, end: 0 },
  hint: `its propositions are: ${[...known.keys()].join(", ")}`,
});

const LANGUAGE = "network";

const mistake = ({ message }: HandlerMistake, file: string): Diagnostic => ({
  code: "sdn/bad-handler",
  severity: "error",
  message,
  span: { file, start: 0, end: 0 },
});

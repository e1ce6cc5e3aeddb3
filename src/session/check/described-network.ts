/** Checks a network described in TypeScript like one loaded from a file. */
import {
  HandlerMistake,
  lowerDescription,
  type NetworkDescription,
  type PacketFields,
} from "../../languages/sdn/api/index.js";
import { Sources, type Diagnostic } from "../../model/index.js";
import type { CheckReport } from "../../report/index.js";
import { checkInput, nothingChecked } from "./check.js";
import { describedNetwork } from "../declarations.js";
import { networkLoaded } from "../languages/network.js";
import type { Language } from "../contracts.js";
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
      const { network: lowered, diagnostics } = lowerDescription(description, file);
      if (!lowered) return { model: undefined, unsupported: [], diagnostics };
      return networkLoaded(lowered, description.sendLimit, given);
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

const LANGUAGE = "network";

const mistake = ({ message }: HandlerMistake, file: string): Diagnostic => ({
  code: "sdn/bad-handler",
  severity: "error",
  message,
  span: { file, start: 0, end: 0 },
});

/** Exports Boolean programs to Promela, so that Spin can confirm our verdicts. */
import { isBoolean } from "../../model/index.js";
import type { Checked } from "../check/check.js";
import type { Exported } from "./net.js";

export async function exportedPromela({ subject }: Pick<Checked, "subject">): Promise<Exported> {
  if (!isBoolean(subject)) return { why: "it is not a Boolean program" };
  const { promelaOf } = await import("../../languages/bp/index.js");
  return (
    promelaOf(subject.program) ?? {
      why: "a target that several threads reach together is no assertion of Promela",
    }
  );
}

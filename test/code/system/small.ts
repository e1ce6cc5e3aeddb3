/** Small systems written into a temporary folder and checked. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CheckReport, PropertyReport } from "../../../src/report/index.js";
import { checkInput } from "../../../src/session/check.js";
import { registry } from "../../../src/session/registry.js";
import type { CheckOptions } from "../../../src/session/request.js";

/** The text is what stands behind the imports. */
export async function checkText(text: string, options: CheckOptions = {}): Promise<CheckReport> {
  const folder = mkdtempSync(join(tmpdir(), "everypath-system-"));
  try {
    const file = join(folder, "system.ts");
    const whole = `import { defineSystem, type Environment } from "everypath/system";\n${text}`;
    writeFileSync(file, whole);
    return (await checkInput({ file, text: whole }, options, registry)).report;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function propertyOf({ properties }: CheckReport, name: string): PropertyReport {
  const found = properties.find(({ property }) => property.name === name);
  if (!found) throw new Error(`there is no property '${name}'`);
  return found;
}

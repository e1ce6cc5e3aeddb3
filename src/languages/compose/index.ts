/**
 * Compose files of Docker as architectures: services, `depends_on` with its conditions, health checks, restarts, and who calls whom.
 *
 * In: text. Out: a `ComposeFile` or diagnostics. `document.ts` reads YAML, `services.ts` interprets it, `hosts.ts` finds calls in environments.
 */
import { hasErrors, type ComposeFile, type Diagnostic } from "../../model/index.js";
import { errorsTo, inTextOrder } from "../toolkit/diagnostics.js";
import { parseYaml } from "./document.js";
import { Services } from "./services.js";

export interface LoadedCompose {
  readonly compose: ComposeFile | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function loadCompose(file: string, text: string): LoadedCompose {
  const { root, diagnostics: syntax } = parseYaml(file, text);
  if (!root) return { compose: undefined, diagnostics: syntax };
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const error = errorsTo(report);
  const warn = errorsTo((diagnostic) => report({ ...diagnostic, severity: "warning" }));
  const compose = new Services(error, warn).whole(root);
  const { services, replaced, span } = compose;
  if (replaced !== undefined && !services.some(({ name }) => name === replaced))
    error("compose/unknown-service", span, `there is no service '${replaced}' to replace`);
  if (services.length > MOST_SERVICES)
    error("compose/too-large", span, `there are more than ${MOST_SERVICES} services`);
  return { compose: hasErrors(diagnostics) ? undefined : compose, diagnostics: inTextOrder(diagnostics) };
}

const MOST_SERVICES = 100;

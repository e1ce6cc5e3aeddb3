/** Resolves the provenance domain of a program, built in or declared. */
import type { DomainEvent, DomainStep, ProvenanceDomain } from "../../model/provenance.js";
import type { DomainChoiceNode, Named } from "../toolkit/provenance/ast.js";
import type { DomainNode, DomainStepNode } from "./ast.js";
import type { ProgramScope } from "./scope.js";

export function resolveDomain(
  declared: readonly DomainNode[],
  choices: readonly DomainChoiceNode[],
  scope: ProgramScope,
): ProvenanceDomain {
  const [choice, second] = choices;
  if (second) scope.error("second-domain", second.span, "the provenance domain is chosen twice");
  if (!choice) return { kind: "language" };
  const { text, span } = choice.name;
  switch (text) {
    case "language":
      return { kind: "language" };
    case "set":
      return { kind: "set" };
    default: {
      const node = declared.find(({ name }) => name.text === text);
      if (node) return declaredDomain(node, scope);
      const known = ["language", "set", ...declared.map(({ name }) => name.text)];
      scope.error(
        "unknown-domain",
        span,
        `there is no provenance domain \`${text}\``,
        `there are: ${known.join(", ")}`,
      );
      return { kind: "language" };
    }
  }
}

function declaredDomain(node: DomainNode, scope: ProgramScope): ProvenanceDomain {
  const [initial, second] = node.initial;
  if (!initial || second)
    scope.error(
      "initial-class",
      second?.span ?? node.span,
      `a domain has one initial class, this one has ${node.initial.length}`,
      "write `init CLASS;` once",
    );
  const classes = [
    ...new Set([initial?.text ?? "", ...node.steps.flatMap(({ from, to }) => [from.text, to.text])]),
  ];
  const numberOf = ({ text }: Named): number => classes.indexOf(text);
  refuseSecondSteps(node.steps, scope);
  const steps = node.steps.flatMap((step): DomainStep[] => {
    const event = eventOf(step, scope);
    return event ? [{ from: numberOf(step.from), event, to: numberOf(step.to) }] : [];
  });
  return { kind: "declared", name: node.name.text, classes, steps };
}

/** Reports a second successor for the same class and event. */
function refuseSecondSteps(steps: readonly DomainStepNode[], scope: ProgramScope): void {
  const seen = new Set<string>();
  for (const { from, event, by } of steps) {
    const key = `${from.text} ${event} ${by?.text ?? ""}`;
    // sound: test/languages/mpp/diagnostics.test.ts
    if (seen.has(key))
      scope.error(
        "second-step",
        from.span,
        `\`${from.text}\` already has a step for this`,
        "keep one of them",
      );
    seen.add(key);
  }
}

function eventOf({ event, by }: DomainStepNode, scope: ProgramScope): DomainEvent | undefined {
  if (event === "operation") {
    const operation = by && scope.operationOf(by);
    if (by && !operation) return undefined;
    return { kind: "operation", operation: operation?.index ?? -1, principal: -1 };
  }
  const principal = by ? scope.principalOf(by) : -1;
  return principal === undefined ? undefined : { kind: event, principal };
}

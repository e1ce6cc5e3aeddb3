import { expect, test } from "vitest";
import { classAfter, type DomainEvent, type DomainStep } from "../../src/model/provenance.js";

const send = (principal: number): DomainEvent => ({ kind: "send", principal });
const receive = (principal: number): DomainEvent => ({ kind: "receive", principal });
const apply = (operation: number, principal = -1): DomainEvent => ({
  kind: "operation",
  operation,
  principal,
});

test("a step of a domain for one principal or operation goes before one for any, in whatever order", () => {
  const steps: DomainStep[] = [
    { from: 0, event: send(-1), to: 1 },
    { from: 0, event: send(7), to: 2 },
    { from: 0, event: apply(-1), to: 3 },
    { from: 0, event: apply(5), to: 4 },
    { from: 0, event: receive(7), to: 5 },
    { from: 6, event: apply(0), to: 7 },
    { from: 6, event: send(0), to: 8 },
    { from: 9, event: send(-1), to: 10 },
    { from: 9, event: send(0), to: 11 },
  ];
  for (const all of [steps, steps.toReversed()]) {
    expect(classAfter(all, send(7), 0)).toBe(2);
    expect(classAfter(all, send(5), 0)).toBe(1);
    expect(classAfter(all, apply(5, 7), 0)).toBe(4);
    expect(classAfter(all, apply(6, 5), 0)).toBe(3);
    expect(classAfter(all, receive(7), 0)).toBe(5);
    expect(classAfter(all, receive(6), 0)).toBe(0);
    expect(classAfter(all, send(7), 1)).toBe(1);
    expect(classAfter(all, apply(0, 3), 6)).toBe(7);
    expect(classAfter(all, send(0), 6)).toBe(8);
    expect(classAfter(all, receive(0), 6)).toBe(6);
    // Holds for the first as for any other.
    expect(classAfter(all, apply(1, 3), 6)).toBe(6);
    expect(classAfter(all, send(1), 6)).toBe(6);
    expect(classAfter(all, send(0), 9)).toBe(11);
  }
});

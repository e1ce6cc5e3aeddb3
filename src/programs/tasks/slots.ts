/** Variables whose values at the start of a phase the sequential program guesses: those that something writes. */
import { sizeOf, type IrType, type Module } from "../../model/module.js";
import type { Slot } from "../../model/tasks.js";
import type { Effects } from "./effects.js";

export interface Slots {
  readonly slots: readonly Slot[];
  readonly notSequential: readonly string[];
}

export function slotsOf(module: Module, effects: Effects, roots: readonly string[]): Slots {
  const written = new Set<string>();
  const problems = new Set<string>();
  for (const root of roots)
    for (const object of effects.ofFunction(root).writes.objects) {
      if (object.startsWith("g:")) written.add(object.slice(2));
      if (object.startsWith("h:")) problems.add("allocated memory");
    }
  const slots: Slot[] = [];
  for (const { name, type } of module.globals.values()) if (written.has(name)) flatten(name, type, 0);
  return { slots, notSequential: [...problems] };

  function flatten(global: string, type: IrType, at: number): void {
    switch (type.kind) {
      case "array":
        for (let index = 0; index < type.count; index++)
          flatten(global, type.of, at + index * sizeOf(type.of));
        return;
      case "struct":
        type.fields.forEach((field, index) => flatten(global, field, at + (type.offsets[index] ?? 0)));
        return;
      case "int":
      case "float":
        if (type.kind === "float") problems.add("floating-point variables");
        if (effects.pointsTo.contentOf(`g:${global}`, at).length > 0 && hasAddress(global, at))
          problems.add(`addresses in the integer variable '${global}'`);
        slots.push({ global, at, size: sizeOf(type), isPointer: false, targets: [] });
        return;
      case "pointer":
        slots.push({ global, at, size: 8, isPointer: true, targets: targetsOf(global, at) });
        return;
      default:
        problems.add(`the type of '${global}'`);
    }
  }

  /** An address in exactly this place; one at any offset is assumed to be in a pointer. */
  function hasAddress(global: string, at: number): boolean {
    const type = module.globals.get(global)?.type;
    return (
      type !== undefined && !hasPointer(type) && effects.pointsTo.contentOf(`g:${global}`, at).length > 0
    );
  }

  function targetsOf(global: string, at: number): Slot["targets"] {
    const found = new Map<string, Slot["targets"][number]>();
    for (const { object, at: offset } of effects.pointsTo.contentOf(`g:${global}`, at)) {
      if (object.startsWith("h:")) problems.add("allocated memory");
      else if (object.startsWith("s:")) found.set("s", { symbol: undefined, offset: 0 });
      else found.set(`${offset} ${object}`, { symbol: object.slice(2), offset });
    }
    return [...found.values()];
  }
}

const hasPointer = (type: IrType): boolean =>
  type.kind === "pointer" ||
  (type.kind === "array" && hasPointer(type.of)) ||
  (type.kind === "struct" && type.fields.some(hasPointer));

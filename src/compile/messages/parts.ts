/** Parts of the states of a message-passing program, by number: messages with their provenance, spawned instances, bags of either. */
import { nowhere, Numbers, type Numbered, type TravelledMessage } from "../../model/index.js";
import { Bags } from "./bags.js";

/** A principal with its location. */
export interface Instance {
  readonly principal: number;
  readonly location: number;
  /** Numbers of its variables' values. */
  readonly values: readonly number[];
}

export class MessageParts {
  readonly numbers: Numbers;
  readonly bags: Bags;
  readonly #values: Numbered<TravelledMessage>;
  readonly #instances: Numbered<Instance>;

  /** `memory`: of the model whose numbers this one shares. */
  constructor(memory?: SharedArrayBuffer) {
    this.numbers = new Numbers(memory);
    this.#values = this.numbers.kind(readValue);
    this.#instances = this.numbers.kind(readInstance);
    this.bags = new Bags(this.numbers);
    this.numberOf({ message: 0, provenance: nowhere }); // the initial value of variables is number 0
  }

  valueAt(number: number): TravelledMessage {
    return known(this.#values, number);
  }

  numberOf(value: TravelledMessage): number {
    return this.#values.numberOf(`${value.message}:${value.provenance.join()}`, () => value);
  }

  instanceAt(number: number): Instance {
    return known(this.#instances, number);
  }

  numberOfInstance(instance: Instance): number {
    const { principal, location, values } = instance;
    return this.#instances.numberOf(`${principal}@${location}:${values.join()}`, () => instance);
  }

  // Choices are positions, so their order must not depend on the order of discovery.
  readonly compareValues = (a: number, b: number): number => {
    const [one, other] = [this.valueAt(a), this.valueAt(b)];
    return one.message - other.message || compareLists(one.provenance, other.provenance);
  };

  readonly compareInstances = (a: number, b: number): number => {
    const [one, other] = [this.instanceAt(a), this.instanceAt(b)];
    const byValue = one.values.map((value, x) => this.compareValues(value, other.values[x] ?? 0));
    return (
      one.principal - other.principal ||
      one.location - other.location ||
      (byValue.find((difference) => difference !== 0) ?? 0)
    );
  };
}

function known<T extends object>({ things }: Numbered<T>, number: number): T {
  const thing = things[number];
  if (!thing) throw new Error(`no part of a state has the number ${number}`);
  return thing;
}

function readValue(key: string): TravelledMessage {
  const [message = "", provenance = ""] = key.split(":");
  return { message: Number(message), provenance: numbersIn(provenance) };
}

function readInstance(key: string): Instance {
  const [place = "", values = ""] = key.split(":");
  const [principal = "", location = ""] = place.split("@");
  return { principal: Number(principal), location: Number(location), values: numbersIn(values) };
}

const numbersIn = (text: string): number[] => (text === "" ? [] : text.split(",").map(Number));

function compareLists(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return a.length - b.length;
  return a.map((each, index) => each - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

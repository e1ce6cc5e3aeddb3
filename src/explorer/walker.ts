/** A position in the state space with its enabled steps. Moving on or back costs only the difference. */
import { formatSchedule, type Model, type Words } from "../model/index.js";
import { Random, Simulation } from "../session/index.js";
import { CannotAnswer } from "./cannot-answer.js";
import type { ChoiceView, EndingView, StandingView, WalkView } from "./protocol.js";
import { endingView, stepView, type Places } from "./views.js";

export class Walker {
  readonly #model: Model;
  readonly #places: Places;
  readonly #mark: string;
  #simulation: Simulation;

  constructor(model: Model, places: Places, mark: string) {
    this.#model = model;
    this.#places = places;
    this.#mark = mark;
    this.#simulation = new Simulation(model);
  }

  at(choices: readonly number[]): WalkView {
    return this.#view(this.#goTo(choices));
  }

  /** Where processes stand in their automata. */
  standing(choices: readonly number[]): StandingView {
    this.#goTo(choices);
    return { standing: this.#simulation.standing() };
  }

  /** The state after the choices. */
  words(choices: readonly number[]): Words | undefined {
    const diverged = this.#goTo(choices);
    if (diverged) throw new CannotAnswer(diverged.text);
    return this.#simulation.words;
  }

  /** Walks at random from here, until the run ends or fails, for at most `steps` steps. */
  wander(choices: readonly number[], steps: number, seed: number): WalkView {
    const diverged = this.#goTo(choices);
    const random = new Random(seed);
    for (let taken = 0; taken < steps && !diverged && this.#simulation.ending().kind === "open"; taken++)
      this.#simulation.take(random.below(this.#simulation.count));
    return this.#view(diverged);
  }

  /** As far as the model lets it; if not all the way, why. */
  #goTo(choices: readonly number[]): EndingView | undefined {
    const simulation = this.#simulation;
    let shared = 0;
    while (shared < choices.length && simulation.choices[shared] === choices[shared]) shared++;
    while (simulation.choices.length > shared) simulation.undo();
    for (const [index, choice] of choices.slice(shared).entries()) {
      if (choice >= simulation.count) {
        const offered = simulation.count === 0 ? "no step" : `only ${simulation.count}`;
        return { kind: "diverged", text: `the model offers ${offered} at step ${shared + index + 1}` };
      }
      simulation.take(choice);
    }
    return undefined;
  }

  #view(diverged: EndingView | undefined): WalkView {
    const simulation = this.#simulation;
    const schedule = formatSchedule(simulation.choices);
    const length = simulation.choices.length;
    const ending = diverged ?? endingView(simulation.ending(), this.#places);
    const values = simulation.values().map(({ name, value }) => [name, value] as const);
    const places = this.#places.ofProcesses(simulation.processes());
    const choices = Array.from({ length: Math.min(simulation.count, MOST_CHOICES) }, (_, choice) =>
      this.#choice(choice),
    );
    return { mark: this.#mark, files: this.#places.files, schedule, length, values, places, choices, ending };
  }

  #choice(choice: number): ChoiceView {
    const step = this.#simulation.take(choice);
    const leadsTo = endingView(this.#simulation.ending(), this.#places);
    this.#simulation.undo();
    const { number: _, moves: __, ...rest } = stepView(this.#model, step, this.#places, []);
    return { ...rest, choice, leadsTo };
  }
}

/** Display limit; use the graph for a state with more choices. */
const MOST_CHOICES = 1000;

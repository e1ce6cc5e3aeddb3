/** A random program as the body of a test, given by the environment. */
import type { ScheduleWorld } from "../../../../src/testing/code.js";
import { interpret, type Surroundings } from "../interpret.js";
import type { AsyncProgram } from "../program.js";

export const bodyWith =
  (modules: Pick<Surroundings, "fs" | "net">) =>
  async (world: ScheduleWorld): Promise<void> => {
    const program = JSON.parse(process.env["PROGRAM"]!) as AsyncProgram;
    const services = [0, 1].map((number) =>
      world.service(
        `s${number}`,
        () => {
          console.log(`effect ${number}`);
          return `answer ${number}`;
        },
        program.fails ? { fails: 1 } : {},
      ),
    );
    world.fetch((url) => {
      const task = url.slice(url.lastIndexOf("/") + 1);
      console.log(`handler ${task}`);
      return new Response(`body ${task}`);
    });
    await interpret(
      program,
      {
        ...modules,
        folder: "/tmp",
        log: (text) => console.log(text),
        ask: (service) => services[service]!(),
        fetch: (task, signal) => fetch(`http://x.example/${task}`, signal ? { signal } : {}),
        setTimeout: (run, ms) => void setTimeout(run, ms),
        setImmediate: (run) => void setImmediate(run),
      },
      [],
    );
  };

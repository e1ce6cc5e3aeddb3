/** Completion scripts and the manual page name every command and option, and shells accept them. */
import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { helpGroups } from "../../src/cli/help.js";
import { describeWithPeers } from "../peers.js";
import { useCli } from "./built-cli.js";

const cli = useCli();

interface Listed {
  readonly command: string;
  readonly option: string;
}

const listed = async (): Promise<Listed[]> => (await cli.run(["options", "--json"])).json<Listed[]>();
const longOf = ({ option }: Listed): string => /--[a-z-]+/.exec(option)?.[0] ?? "";

test.each(["bash", "zsh", "fish"])("%s: every command and option", async (shell) => {
  const { stdout, exitCode } = await cli.run(["completion", shell]);
  expect(exitCode).toBe(0);
  for (const one of await listed()) {
    expect(stdout).toContain(one.command);
    expect(stdout).toContain(shell === "fish" ? `-l ${longOf(one).slice(2)}` : longOf(one));
  }
});

test("other shells are refused", async () => {
  const { exitCode, stderr } = await cli.run(["completion", "tcsh"]);
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/usage\/bad-value.*tcsh/);
  expect(stderr).toMatch(/takes bash, zsh or fish/);
});

describe("bash completes", () => {
  test.each([
    [["ch"], ["check"]],
    [["check", "--sea"], ["--search"]],
    [
      ["check", "m.pml", "--search", "d"],
      ["dfs", "delays"],
    ],
    [["check", "--engine", "expl"], ["explicit"]],
    [
      ["replay", "--in"],
      ["--inspect", "--invariant", "--integers"],
    ],
    [["check", "--max-states", ""], []],
  ])("%j", async (words, expected) => {
    const { stdout } = await cli.run(["completion", "bash"]);
    const given = ["everypath", ...words].map((word) => `'${word}'`).join(" ");
    const script = `${stdout}\nCOMP_WORDS=(${given}); COMP_CWORD=${words.length}; _everypath; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const answer = execFileSync("bash", ["--norc", "-c", script], { encoding: "utf8" });
    expect(answer.split("\n").filter(Boolean)).toEqual(expected);
  });
});

describeWithPeers("zsh accepts its script", ["zsh"], () => {
  test("", async () => {
    const { stdout } = await cli.run(["completion", "zsh"]);
    const input = `autoload -U compinit; compinit -D; ${stdout}\nwhence _everypath`;
    expect(spawnSync("zsh", ["-f"], { input, encoding: "utf8" })).toMatchObject({
      stdout: "_everypath\n",
      stderr: "",
    });
  });
});

describeWithPeers("fish completes", ["fish"], () => {
  test("values of an option", async () => {
    const { stdout } = await cli.run(["completion", "fish"]);
    const script = `${stdout}\ncomplete -C "everypath check --store b"`;
    expect(spawnSync("fish", ["--no-config", "-c", script], { encoding: "utf8" }).stdout).toMatch(
      /^bitstate\t/,
    );
  });
});

test("the manual page has every command, option and exit code", async () => {
  const { stdout } = await cli.run(["man"]);
  for (const one of await listed()) expect(stdout).toContain(longOf(one).replaceAll("-", "\\-"));
  for (const code of [0, 1, 2, 3, 70, 74]) expect(stdout).toContain(`.B ${code}\n`);
  // A line that begins with a full stop is a request.
  const requests = stdout.split("\n").filter((line) => line.startsWith("."));
  for (const request of requests) expect(request).toMatch(/^\.(TH|SH|TP|B)( |$)/);
});

describeWithPeers("mandoc accepts the manual page", ["mandoc"], () => {
  test("", async () => {
    const { stdout: input } = await cli.run(["man"]);
    const { stdout } = spawnSync("mandoc", ["-Tlint", "-W", "warning"], { input, encoding: "utf8" });
    expect(
      stdout.split("\n").filter((line) => /WARNING|ERROR/.test(line) && !/missing date/.test(line)),
    ).toEqual([]);
  });
});

test("every option of check belongs to one group of its help, ten to the first", async () => {
  const own = (await listed()).filter(({ command }) => command === "check").map(longOf);
  const grouped = [...helpGroups.values()].flat();
  expect(own.filter((option) => !grouped.includes(option))).toEqual([]);
  expect(grouped.filter((option) => !own.includes(option))).toEqual([]);
  expect(new Set(grouped).size).toBe(grouped.length);
  expect([...helpGroups.values()][0]).toHaveLength(10);
  const { stdout } = await cli.run(["check", "--help"]);
  const headings = [...stdout.matchAll(/^[A-Zχ].*:$/gm)].map(([heading]) => heading);
  expect(headings).toEqual([...helpGroups.keys(), "Options:", "Examples:"]);
});

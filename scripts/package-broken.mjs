/** One input with a mistake for each door: each is refused with exit code 3. */
export const broken = {
  "model.pml": "active proctype P() { x = }\n",
  "model.m": "var x: boolean\nstartstate begin x := ; end;\n",
  "program.mpp": "process {\n",
  "net.spec": "vars\n  a\nrules\n  a >= ;\n",
  "net.pnml": "<pnml><net></pnml>\n",
  "system.bvas": "nonsense\n",
  "network.ndlog": "r1 p(@X) :- q(@X)\n",
  "commands.gcl": "var x : int\n",
  "processes.fsp": "P = (a -> P\n",
  "processes.chi": "system = x := ;\n",
  "system.fractal": '<definition name="S"><binding client="A.i"/></definition>\n',
  "compose.yaml": "services:\n  api:\n    depend_on: [db]\n",
  "program.bp": "thread T { x = 1; }\n",
  // Without clang, it is refused for another reason.
  "program.c": "int main(void) { return }\n",
  "system.aut": "des (0, 1\n",
  "tasks.rpp": "task {\n",
  "network.sdn": 'topology "absent.json";\n',
  "system.ts": "import { defineSystem } from 'everypath/system';\nexport default defineSystem({ nodes: { \n",
  "machines.ts":
    "import { createMachine } from 'xstate';\nexport const machine = createMachine({ states: { \n",
  "manifest.json": '{ "manifest_version": 2, \n',
};

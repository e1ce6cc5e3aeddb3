/** Nodes with hidden state. */

/** A node that after many steps stores one of two values in hidden state, and reads it in the next step. */
export const late = (declarations: string, leave: string, read: string): string => `
  ${declarations}
  class N {
    count = 0;
    seen: unknown = "nothing";
    kept: any = undefined;
    tick() { this.count++; }
    leave(value: number) { this.count++; ${leave} }
    read() { this.count++; this.seen = ${read}; }
  }
  export default defineSystem<any>({
    nodes: { n: () => new N() },
    actions: {
      tick: { when: (n) => n.count < 400, run: (n) => n.tick() },
      leave: { values: [1, 0], when: (n) => n.count === 400, run: (n, value) => n.leave(value) },
      read: { when: (n) => n.count === 401, run: (n) => n.read() },
    },
    always: { one: ({ nodes }) => nodes.n.seen !== 1, zero: ({ nodes }) => nodes.n.seen !== 0 },
  });`;

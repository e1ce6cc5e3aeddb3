/** The strongly connected components of a graph that is written down: Tarjan's algorithm, without recursion. */
export function componentsOf(successors: readonly (readonly number[])[]): Int32Array {
  const component = new Int32Array(successors.length).fill(NONE);
  const order = new Int32Array(successors.length); // of discovery, from 1; 0 for unknown
  const low = new Int32Array(successors.length);
  const cursor = new Int32Array(successors.length);
  const live: number[] = [];
  let discovered = 0;
  let components = 0;
  const enter = (state: number, path: number[]): void => {
    order[state] = low[state] = ++discovered;
    live.push(state);
    path.push(state);
  };
  for (let root = 0; root < successors.length; root++) {
    if (order[root] !== 0) continue;
    const path: number[] = [];
    enter(root, path);
    while (path.length > 0) {
      const state = path[path.length - 1];
      if (cursor[state] < successors[state].length) {
        const target = successors[state][cursor[state]++];
        if (order[target] === 0) enter(target, path);
        else if (component[target] === NONE) low[state] = Math.min(low[state], order[target]);
        continue;
      }
      path.pop();
      if (path.length > 0) low[path[path.length - 1]] = Math.min(low[path[path.length - 1]], low[state]);
      if (low[state] < order[state]) continue;
      for (let member = NONE; member !== state;) component[(member = live.pop()!)] = components;
      components++;
    }
  }
  return component;
}

const NONE = -1;

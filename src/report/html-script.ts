/**
 * The script of the HTML report: selecting a step marks it in the list, the source, the values and the
 * chart. It only ever sets text and classes, so nothing of the model can become markup.
 */
export const script = `
"use strict";
const { initial, steps, walk } = JSON.parse(document.getElementById("trace-data").textContent);
const buttons = [...document.querySelectorAll(".step")];
const chartRows = new Map([...document.querySelectorAll(".chart [data-step]")].map((row) => [Number(row.dataset.step), row]));
const counter = document.getElementById("counter");
const values = document.getElementById("values");
let current = -1;
// A step off the trace is selected.
let isOffTrace = false;

// The state after each step: position 0 is the initial state.
const states = [new Map(initial)];
for (const step of steps) {
  const state = new Map(states.at(-1));
  for (const [name, value] of step.changes) value === null ? state.delete(name) : state.set(name, value);
  states.push(state);
}

function select(position, { scroll = true } = {}) {
  const target = Math.max(0, Math.min(position, steps.length));
  if (target === current && !isOffTrace) return;
  current = target;
  isOffTrace = false;
  for (const [index, button] of buttons.entries()) {
    if (index === current) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }
  const step = steps[current - 1];
  counter.textContent = step ? "step " + step.number + " of " + counter.dataset.length : "initial state";
  document.getElementById("first").disabled = document.getElementById("previous").disabled = current === 0;
  document.getElementById("last").disabled = document.getElementById("next").disabled = current === steps.length;
  showValues(states[current], states[Math.max(0, current - 1)], step ? step.changes : []);
  showSource(step ? step.lines : []);
  showWalk();
  markChart(step);
  showPicture(step);
  if (scroll) reveal(buttons[current]);
  history.replaceState(null, "", "#" + (document.body.dataset.fragment || "") + "step=" + (step ? step.number : 0));
}

// What can happen in the state that is selected. A step that the trace does not take can be looked at: its values, its line.
function showWalk() {
  const list = document.getElementById("walk");
  if (!list) return;
  const number = current === 0 ? 0 : steps[current - 1].number;
  const choices = walk[number];
  const place = document.getElementById("place");
  place.textContent = choices === undefined
    ? current === steps.length ? "The trace ends here." : "Left out, to keep this page small."
    : choices.length === 0 ? "Nothing can happen here." : "Choose a step: the trace goes on with the marked one.";
  list.replaceChildren(...(choices || []).map((choice) => walkItem(choice)));
}

function walkItem(choice) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.className = choice.isTaken ? "choice is-taken" : "choice";
  const part = (kind, text) => {
    const span = document.createElement("span");
    span.className = kind;
    span.textContent = text;
    button.append(span);
  };
  part("process", choice.who);
  part("action", choice.action + (choice.isTaken ? "  (the trace)" : ""));
  for (const text of choice.effects) part("effect message", text);
  for (const [name, value] of choice.changes) part("effect", value === null ? name + " is gone" : name + " = " + value);
  if (choice.fault) part("effect fault", choice.fault);
  button.addEventListener("click", () => choice.isTaken && current < steps.length ? select(current + 1) : stepOff(choice, button));
  item.append(button);
  return item;
}

function stepOff(choice, button) {
  isOffTrace = true;
  const next = new Map(states[current]);
  for (const [name, value] of choice.changes) value === null ? next.delete(name) : next.set(name, value);
  showValues(next, states[current], choice.changes);
  showSource(choice.lines);
  for (const other of document.querySelectorAll(".walk [aria-current]")) other.removeAttribute("aria-current");
  button.setAttribute("aria-current", "step");
  counter.textContent = "off the trace";
  document.getElementById("place").textContent = "One step off the trace: the values below are those after it. The arrow keys go back to the trace.";
}

function showValues(state, before, changes) {
  const changed = new Map(changes);
  const rows = [...state].map(([name, value]) => {
    const row = document.createElement("tr");
    row.insertCell().textContent = name;
    const cell = row.insertCell();
    cell.textContent = value;
    if (changed.has(name)) {
      row.className = "is-changed";
      const was = document.createElement("span");
      was.className = "was";
      was.textContent = before.has(name) ? "  was " + before.get(name) : "  new";
      cell.append(was);
    }
    return row;
  });
  values.replaceChildren(...rows);
}

function showSource(lines) {
  for (const line of document.querySelectorAll(".source .is-current")) line.classList.remove("is-current");
  const marked = lines.map(([file, line]) => document.querySelector('.source[data-file="' + file + '"] [data-line="' + line + '"]'));
  for (const line of marked) if (line) line.classList.add("is-current");
  if (marked[0]) {
    const details = marked[0].closest("details");
    if (details) details.open = true;
    reveal(marked[0]);
  }
}

// Drawings exist as templates, created with all text escaped.
function showPicture(step) {
  const pane = document.getElementById("picture");
  if (!pane) return;
  const drawn = document.getElementById("picture-" + (step ? step.number : 0));
  const caption = document.getElementById("picture-caption");
  caption.textContent = drawn ? "" : "The picture of this step is left out, to keep this page small.";
  if (drawn) pane.replaceChildren(drawn.content.cloneNode(true));
  else pane.replaceChildren();
}

function markChart(step) {
  for (const row of document.querySelectorAll(".chart .is-current")) row.classList.remove("is-current");
  const row = step && chartRows.get(step.number);
  if (!row) return;
  row.classList.add("is-current");
  const pane = row.closest(".chart");
  const y = Number(row.getAttribute("y"));
  if (y < pane.scrollTop + 50 || y + 40 > pane.scrollTop + pane.clientHeight) pane.scrollTop = y - pane.clientHeight / 2;
  const x = Number(row.dataset.x);
  if (x < pane.scrollLeft + 60 || x + 60 > pane.scrollLeft + pane.clientWidth) pane.scrollLeft = x - pane.clientWidth / 2;
}

// Scrolls the pane around an element, never the page: the reader's place on the page is theirs.
function reveal(element) {
  const pane = element.closest(".steps, .source");
  const top = element.getBoundingClientRect().top - pane.getBoundingClientRect().top;
  if (top < 0 || top + element.offsetHeight > pane.clientHeight) pane.scrollTop += top - pane.clientHeight / 2;
}

// The names of the processes stay in sight while their chart is scrolled.
const chart = document.querySelector(".chart");
if (chart)
  chart.addEventListener("scroll", () =>
    chart.querySelector(".msc-heads").setAttribute("transform", "translate(0 " + chart.scrollTop + ")"),
  );

for (const [index, button] of buttons.entries()) button.addEventListener("click", () => select(index));
for (const [number, row] of chartRows)
  row.addEventListener("click", () => select(steps.findIndex((step) => step.number === number) + 1));
document.getElementById("first").addEventListener("click", () => select(0));
document.getElementById("previous").addEventListener("click", () => select(current - 1));
document.getElementById("next").addEventListener("click", () => select(current + 1));
document.getElementById("last").addEventListener("click", () => select(steps.length));

const moves = {
  ArrowDown: () => current + 1, ArrowRight: () => current + 1, j: () => current + 1,
  ArrowUp: () => current - 1, ArrowLeft: () => current - 1, k: () => current - 1,
  Home: () => 0, End: () => steps.length,
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(moves, event.key)) return;
  event.preventDefault();
  select(moves[event.key]());
});

const asked = /[#&]step=(\\d+)$/.exec(location.hash);
const position = asked ? steps.findIndex((step) => step.number === Number(asked[1])) + 1 : steps.length;
select(position);
`.trim();

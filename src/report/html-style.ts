/** The style of the HTML report: readable at phone width, light or dark as the reader's system is. */
export const style = `
:root {
  --page: #f6f7f9; --card: #ffffff; --ink: #1f2328; --faint: #5c6670; --line: #d8dee4;
  --accent: #0b5cad; --mark: #fff3c4; --code: #f3f5f8;
  --holds: #1a7f37; --violated: #c62828; --unknown: #9a6700;
  --hue-0: #0b5cad; --hue-1: #9c4300; --hue-2: #6b3fa0; --hue-3: #0d6e5c; --hue-4: #a0245e; --hue-5: #5b5f00;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d1117; --card: #12161c; --ink: #e3e8ee; --faint: #97a2ae; --line: #2f3843;
    --accent: #6cb2ff; --mark: #4a3d10; --code: #1a2028;
    --holds: #56d364; --violated: #ff7b72; --unknown: #e3b341;
    --hue-0: #6cb2ff; --hue-1: #ffa266; --hue-2: #c9a6ff; --hue-3: #5fd6bf; --hue-4: #ff8fc0; --hue-5: #d3d65a;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.25rem; max-width: 90rem; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
code, pre, .mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 13px; }
h1 { font-size: 1.25rem; margin: .15rem 0 0; font-weight: 600; overflow-wrap: anywhere; }
h2 { font-size: .8rem; margin: 0 0 .5rem; letter-spacing: .05em; text-transform: uppercase; color: var(--faint); }
section, header { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.1rem; margin-bottom: 1rem; }
header { border-left: 6px solid var(--faint); }
header.holds { border-left-color: var(--holds); }
header.violated { border-left-color: var(--violated); }
header.unknown { border-left-color: var(--unknown); }
.file { margin: 0; color: var(--faint); overflow-wrap: anywhere; }
.holds > b, b.holds { color: var(--holds); }
.violated > b, b.violated { color: var(--violated); }
.unknown > b, b.unknown { color: var(--unknown); }
.faint { color: var(--faint); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; padding: .25rem .8rem .25rem 0; vertical-align: top; overflow-wrap: anywhere; }
tr + tr td { border-top: 1px solid var(--line); }
.properties td:nth-child(-n+2) { white-space: nowrap; width: 1%; padding-right: 1.6rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .6rem 1rem; margin: 0; }
.figures dt { color: var(--faint); font-size: .85rem; }
.figures dd { margin: 0; font-size: 1.05rem; font-variant-numeric: tabular-nums; }
.toolbar { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem; margin-bottom: .7rem; }
.toolbar button {
  font: inherit; color: inherit; background: var(--code); border: 1px solid var(--line); border-radius: 7px;
  padding: .2rem .7rem; min-height: 2.2rem; cursor: pointer;
}
.toolbar button:disabled { opacity: .45; cursor: default; }
.toolbar output { min-width: 8.5rem; text-align: center; font-variant-numeric: tabular-nums; }
.panes { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); gap: 1rem; }
.pane { min-width: 0; }
.pane > h3 { font-size: .85rem; margin: 0 0 .35rem; color: var(--faint); font-weight: 600; }
.steps, .source { max-height: 33rem; overflow: auto; border: 1px solid var(--line); border-radius: 8px; }
.steps { list-style: none; margin: 0; padding: 0; max-height: 54rem; }
.steps li { border-bottom: 1px solid var(--line); }
.steps li:last-child { border-bottom: 0; }
.step {
  display: grid; grid-template-columns: 2.2rem var(--process-width) minmax(0, 1fr); gap: 0 .7rem; width: 100%;
  padding: .3rem .6rem; font: inherit; color: inherit; text-align: left; background: none; border-width: 0; cursor: pointer;
}
.step .number { color: var(--faint); text-align: right; }
.hue-0 { --hue: var(--hue-0); } .hue-1 { --hue: var(--hue-1); } .hue-2 { --hue: var(--hue-2); }
.hue-3 { --hue: var(--hue-3); } .hue-4 { --hue: var(--hue-4); } .hue-5 { --hue: var(--hue-5); }
.step { border-left: 3px solid var(--hue, transparent); }
.step .process { color: var(--hue, var(--accent)); overflow-wrap: anywhere; }
.step .action { overflow-wrap: anywhere; }
.step .effect { grid-column: 3; color: var(--faint); overflow-wrap: anywhere; }
.step .message { color: var(--accent); }
.step[aria-current] { background: var(--mark); }
.step.fault .action { color: var(--violated); font-weight: 600; }
.gap { padding: .3rem .6rem; color: var(--faint); text-align: center; background: var(--code); }
.source { margin: 0; padding: .4rem 0; background: var(--code); tab-size: 4; }
.source .line { display: block; min-width: max-content; padding: 0 .8rem 0 0; white-space: pre; }
.source .line::before {
  content: attr(data-line); display: inline-block; width: 3.2rem; padding-right: .9rem; text-align: right; color: var(--faint);
}
.source .line.is-current { background: var(--mark); }
.source .line mark { background: none; color: inherit; border-bottom: 2px solid var(--violated); }
.source + h3 { margin-top: .8rem; }
.values { max-height: 18rem; overflow: auto; border: 1px solid var(--line); border-radius: 8px; padding: .1rem .7rem; }
.values td:first-child { color: var(--faint); width: 40%; }
.values tr.is-changed td { background: var(--mark); color: inherit; }
.values tr.is-changed td:last-child { font-weight: 600; }
.values .was { color: var(--faint); font-weight: 400; }
.walk { list-style: none; margin: 0 0 .8rem; padding: 0; max-height: 14rem; overflow: auto; border: 1px solid var(--line); border-radius: 8px; }
.walk li + li { border-top: 1px solid var(--line); }
.choice {
  display: grid; grid-template-columns: minmax(5rem, 8rem) minmax(0, 1fr); gap: 0 .7rem; width: 100%; min-height: 2.2rem;
  padding: .3rem .6rem; font: inherit; color: inherit; text-align: left; background: none; border: 0; cursor: pointer;
}
.choice .process { color: var(--accent); overflow-wrap: anywhere; }
.choice .action, .choice .effect { overflow-wrap: anywhere; }
.choice .effect { grid-column: 2; color: var(--faint); }
.choice .message { color: var(--accent); }
.choice .fault { color: var(--violated); font-weight: 600; }
.choice.is-taken { background: var(--code); }
.choice[aria-current] { background: var(--mark); }
#place { margin: 0 0 .35rem; }
.left-out { margin: .8rem 0 0; }
.chart { overflow: auto; max-height: 44rem; border: 1px solid var(--line); border-radius: 8px; }
.chart svg { display: block; }
.chart [data-step] { cursor: pointer; }
.picture { overflow: auto; max-height: 36rem; border: 1px solid var(--line); border-radius: 8px; margin: 0 0 .8rem; }
.picture:empty { display: none; }
.picture svg { display: block; max-width: 100%; height: auto; margin: 0 auto; }
summary { cursor: pointer; }
footer { color: var(--faint); font-size: .85rem; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
@media (max-width: 52rem) {
  body { padding: .6rem; }
  section, header { padding: .8rem; }
  .panes { grid-template-columns: minmax(0, 1fr); }
  .steps { max-height: 19rem; }
  .source { max-height: 15rem; }
  .hint { display: none; }
  .toolbar { flex-wrap: nowrap; justify-content: space-between; }
  .toolbar output { min-width: 0; white-space: nowrap; }
  .toolbar button { padding: .2rem .45rem; }
  .step { grid-template-columns: 1.8rem min(var(--process-width), 28vw) minmax(0, 1fr); }
  .toolbar { position: sticky; top: 0; z-index: 1; background: var(--card); padding: .4rem 0; margin: 0; }
  .properties, .properties tbody, .properties tr, .properties td { display: block; width: auto; }
  .properties td:nth-child(n) { padding: .1rem 0; white-space: normal; width: auto; }
  .properties tr + tr { border-top: 1px solid var(--line); margin-top: .4rem; padding-top: .4rem; }
  .properties tr + tr td { border-top: 0; }
}
@media print { .toolbar { display: none; } .steps, .source, .values, .chart { max-height: none; } }
`.trim();

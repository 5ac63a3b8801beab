/** Restrained on purpose: one typeface for bytes, one for words, colour only for lanes, kinds and what is lit. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --panel: #ffffff; --line: #e3e0da; --text: #22211f; --faint: #6d6962; --lit: #ffe39a; --lit-edge: #b98600;
  --adds: #1a7345; --changes: #8a5a00; --removes: #b3261e; --focus: #1f5fbf;
  --lane0: #4f6bb3; --lane1: #b0713a; --lane2: #3c8a6b; --lane3: #96508f; --lane4: #8b8427; --lane5: #3f87a6; --lane6: #b0525b; --lane7: #7a7a7a;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace;
  --sans: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
  --step: 14px;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #17181a; --panel: #1e2022; --line: #34373a; --text: #e4e3e0; --faint: #9a9893; --lit: #5c4a12; --lit-edge: #e3b341;
    --adds: #6fc495; --changes: #e0ac55; --removes: #f08d84; --focus: #82aef5;
    --lane0: #8ea5e6; --lane1: #dda06a; --lane2: #74c2a2; --lane3: #cf8fc8; --lane4: #c6bf62; --lane5: #7cc0dd; --lane6: #e48f97; --lane7: #a6a6a6;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1200px; padding: 0 24px 64px; background: var(--paper); color: var(--text); font: 14px/1.5 var(--sans); }
header { padding: 32px 0 20px; }
h1 { margin: 0; font-size: 22px; font-weight: 600; letter-spacing: -0.01em; overflow-wrap: anywhere; }
.facts { display: flex; flex-wrap: wrap; gap: 0 20px; margin: 6px 0 18px; padding: 0; list-style: none; color: var(--faint); overflow-wrap: anywhere; }
.tools { display: inline-flex; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; background: var(--panel); }
button { border: 0; border-right: 1px solid var(--line); padding: 5px 14px; background: none; color: var(--faint); font: inherit; cursor: pointer; }
button:last-child { border-right: 0; }
button:hover { color: var(--text); }
button[aria-pressed="true"] { background: var(--line); color: var(--text); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
button:focus-visible, summary:focus-visible, tr:focus-visible { outline-offset: -2px; }

main { --gutter: calc(20px + (var(--lanes) - 1) * var(--step)); }
${Array.from({ length: 8 }, (_, i) => `.lanes${i + 1} { --lanes: ${i + 1}; } .lane${i} { --x: calc(5px + ${i} * var(--step)); --ink: var(--lane${i}); }`).join('\n')}
.piece { position: relative; padding: 0 0 14px var(--gutter); }
.own, .passing { position: absolute; left: var(--x); top: 0; bottom: 0; width: 2px; background: var(--ink); pointer-events: none; }
.own { top: 12px; bottom: 14px; border-radius: 1px; }
.own.before { top: 0; }
.own.after { bottom: 0; }
.passing { opacity: 0.45; }
.outside { --ink: var(--faint); }
.piece > details > summary { position: relative; display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 12px; padding: 3px 0; cursor: pointer; list-style: none; }
.piece > details > summary::-webkit-details-marker, .message > summary::-webkit-details-marker { display: none; }
.piece > details > summary::before { content: ""; position: absolute; left: calc(var(--x) - var(--gutter) - 4px); top: 9px; width: 10px; height: 10px; border-radius: 50%; background: var(--ink); }
h2 { margin: 0; font-size: 15px; font-weight: 600; }
.detail { color: var(--faint); font-variant-numeric: tabular-nums; }
.count { margin-left: auto; color: var(--faint); font-size: 13px; }
ol { margin: 4px 0 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); overflow: hidden; }
li + li .message { border-top: 1px solid var(--line); }
.message { content-visibility: auto; contain-intrinsic-size: auto 32px; }
.message[open] { contain-intrinsic-size: auto 420px; }
.message > summary { display: grid; grid-template-columns: 3.2em 9.5em minmax(6em, 1fr) 9em 5em 6em; gap: 0 12px; align-items: baseline; padding: 5px 14px; cursor: pointer; list-style: none; }
.message > summary:hover, .piece > details > summary:hover h2 { color: var(--focus); }
.number, .lsn, .size, .line { color: var(--faint); font-size: 12.5px; font-variant-numeric: tabular-nums; }
.number, .size, .line { text-align: right; }
.number { text-align: left; }
.lsn { font-family: var(--mono); font-size: 12px; }
.kind { font-weight: 600; }
.kind.adds { color: var(--adds); } .kind.changes { color: var(--changes); } .kind.removes, .kind.bad { color: var(--removes); }
.kind.describes { color: var(--faint); font-weight: 400; }
.subject { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }

.body { padding: 2px 14px 16px; }
.source { display: flex; gap: 12px; align-items: baseline; margin: 0 0 10px; color: var(--faint); font-size: 12.5px; overflow: hidden; }
.source span { flex: none; }
.source code { overflow: hidden; text-overflow: ellipsis; white-space: pre; font: 12px/1.6 var(--mono); color: var(--text); }
.split { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 28px; align-items: start; }
.bytes { position: sticky; top: 12px; margin: 0; max-height: calc(100vh - 72px); overflow: auto; font: 12.5px/20px var(--mono); padding-top: 24px; }
.bytes .at, .at { color: var(--faint); }
.bytes .text { color: var(--faint); }
.bytes [data-f] { border-radius: 2px; cursor: pointer; }
.bytes .strange { color: var(--removes); text-decoration: underline dotted; }
.fields { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font: 12.5px/20px var(--mono); }
th { padding: 0 12px 4px 6px; height: 24px; text-align: left; font: 12px/20px var(--sans); color: var(--faint); font-weight: 400; }
td { padding: 0 12px 0 6px; vertical-align: top; overflow-wrap: anywhere; }
td.at, td.path, td.value { white-space: nowrap; }
td.value.long { min-width: 12em; white-space: normal; }
td.meaning { font: 12.5px/20px var(--sans); color: var(--faint); width: 50%; min-width: 9em; }
tr[data-f] { cursor: default; }
.lit { background: var(--lit); }
.bytes .lit { box-shadow: 0 1px 0 var(--lit-edge); color: var(--text); }
tr.lit td { color: var(--text); }
.error { margin: 0 0 10px; color: var(--removes); font: 12.5px/1.6 var(--mono); }
.note { margin: 14px 0 0; color: var(--faint); }
#status { position: fixed; left: 0; right: 0; bottom: 0; padding: 6px 24px; border-top: 1px solid var(--line); background: var(--panel); color: var(--faint); font: 12.5px/20px var(--mono); white-space: pre; overflow: hidden; text-overflow: ellipsis; }

@media (max-width: 860px) {
  body { padding: 0 12px 56px; }
  .split { grid-template-columns: minmax(0, 1fr); gap: 12px; }
  .bytes { position: static; max-height: 50vh; padding-top: 0; }
  .message > summary { grid-template-columns: 2em max-content minmax(0, 1fr) max-content; }
  .lsn, .size { display: none; }
}
@media (max-width: 520px) {
  :root { --step: 8px; }
  td.meaning, th:last-child { display: none; }
  .body { padding: 2px 8px 14px; }
  .bytes, table { font-size: 11.5px; }
  td, th { padding: 0 8px 0 4px; }
  td.value { white-space: normal; min-width: 8em; }
}
@media print {
  #status, .tools { display: none; }
}
`;

/**
 * An annotated dump as one page that needs nothing else: no network, no library, and a policy that allows but its own
 * style and script. All there is to see is in the markup; the script only lights up what belongs together.
 */
import type { SourcePosition } from '../../timeline/timeline.js';
import type { ExplainedMessage } from '../explained-message.js';
import { PieceTracker, type Piece } from '../pieces.js';
import { Html, markup } from './markup.js';
import { placeInLanes, type Placed } from './lanes.js';
import { messageView } from './message-view.js';
import { pageScript } from './script.js';
import { style } from './style.js';

export interface PageOptions {
  readonly title: string;
  /** Said below the title. */
  readonly facts: readonly string[];
  /** Every byte and field of long messages. */
  readonly full?: boolean;
  /** The stream goes on after these messages. */
  readonly more?: boolean;
  /** The scenario's text at a line. */
  readonly lineOf?: (source: SourcePosition) => string | undefined;
}

/** Up to so many messages the page shows all bytes at first. */
const mostOpen = 24;

export async function renderPage(messages: readonly ExplainedMessage[], options: PageOptions): Promise<string> {
  const { title, facts, full = false, more = false, lineOf = () => undefined } = options;
  const script = `(${pageScript.toString()})();`;
  const policy = [
    "default-src 'none'",
    `script-src '${await digest(script)}'`,
    `style-src '${await digest(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const pieces = inPieces(messages);
  const places = placeInLanes(pieces.map(({ piece }) => piece));
  const lanes = places.reduce((most, { lane, passing }) => Math.max(most, lane + 1, ...passing.map((at) => at + 1)), 1);
  const open = messages.length <= mostOpen;
  const view = { full, open, lineOf };
  const said = [...facts, counted(messages.length, 'message'), counted(bytesIn(messages), 'byte')];
  const body = pieces.map(({ piece, messages: inside }, i) =>
    pieceView(
      piece,
      places[i]!,
      inside.map((message) => messageView(message, view)),
    ),
  );
  const notes: string[] = [];
  if (messages.length === 0) notes.push('No messages: this client receives nothing.');
  if (more) {
    const first = counted(messages.length, 'message');
    notes.push(`The stream goes on: these are its first ${first}. The option --limit shows more.`);
  }
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<ul class="facts">${said.map((fact) => markup`<li>${fact}</li>`)}</ul>
<div class="tools" role="group" aria-label="Detail">
${['Transactions', 'Messages', 'Bytes'].map((name, i) => levelButton(name, i, open ? 2 : 1))}
</div>
</header>
<main class="lanes${lanes}">
${body}
${notes.map((note) => markup`<p class="note">${note}</p>`)}
</main>
<footer id="status">Point at a field or at its bytes. The keys ↑ and ↓ go from field to field.</footer>
<script>${new Html(script)}</script>
</body>
</html>
`.text;
}

function levelButton(name: string, level: number, pressed: number): Html {
  return markup`<button type="button" data-level="${level}" aria-pressed="${String(level === pressed)}">${name}</button>`;
}

interface FilledPiece {
  readonly piece: Piece;
  readonly messages: ExplainedMessage[];
}

function inPieces(messages: readonly ExplainedMessage[]): FilledPiece[] {
  const tracker = new PieceTracker();
  const pieces: FilledPiece[] = [];
  for (const message of messages) {
    const piece = tracker.follow(message);
    const last = pieces.at(-1);
    if (last?.piece === piece) last.messages.push(message);
    else pieces.push({ piece, messages: [message] });
  }
  return pieces;
}

function pieceView({ title, detail, transaction }: Piece, place: Placed, messages: readonly Html[]): Html {
  const { lane, continues, passing } = place;
  const own = `${continues.before ? ' before' : ''}${continues.after ? ' after' : ''}`;
  return markup`<section class="piece lane${lane}${transaction === 0 ? ' outside' : ''}" data-transaction="${transaction}">
<i class="own${own}"></i>${passing.map((at) => markup`<i class="passing lane${at}"></i>`)}
<details open>
<summary>
<h2>${title}</h2>
<span class="detail">${detail}</span>
<span class="count">${counted(messages.length, 'message')}</span>
</summary>
<ol>
${messages}</ol>
</details>
</section>
`;
}

function bytesIn(messages: readonly ExplainedMessage[]): number {
  return messages.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** As a Content-Security-Policy names a script or style. */
async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return `sha256-${btoa(String.fromCharCode(...bytes))}`;
}

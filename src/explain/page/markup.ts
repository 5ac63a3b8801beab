/** Markup as a value of its own kind, so that text cannot become markup by mistake. */

export class Html {
  constructor(readonly text: string) {}
}

export type Content = string | number | Html | readonly Html[] | null;

/**
 * A template: what is put in is escaped, for text and quoted attributes, unless it is markup already;
 * null is nothing. (Not called `html`: formatters would change the white space of such templates.)
 */
export function markup(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  let text = strings[0]!;
  contents.forEach((content, i) => (text += escape(content) + strings[i + 1]!));
  return new Html(text);
}

function escape(content: Content): string {
  if (content === null) return '';
  if (content instanceof Html) return content.text;
  if (typeof content === 'object') return content.map(({ text }) => text).join('');
  return String(content).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

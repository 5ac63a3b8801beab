/**
 * Texts with `{{…}}`: `{{index}}`, `{{xid}}`, `{{label.lsn}}`, or a call of a faker function, `{{person.fullName}}` or
 * `{{number.int({"min":1,"max":9})}}`. `\{{` is a literal `{{`.
 */
import { fakerFunction, type FakerFunction, type FakerValues } from './faker.js';
import { closest, quote } from './suggestion.js';
import { TemplateError } from './template-error.js';

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'index' }
  | { readonly kind: 'xid' }
  | { readonly kind: 'label'; readonly name: string }
  | { readonly kind: 'faker'; readonly call: FakerFunction };

export interface Template {
  readonly parts: readonly TemplatePart[];
  /** Hash of the place in the scenario: values at different places differ. */
  readonly seed: number;
}

/** What the variables stand for where a template is evaluated. */
export interface TemplateScope {
  /** 0-based round of the innermost `repeat`; undefined outside one. */
  readonly index: number | undefined;
  /** Hash of the rounds of all `repeat`s around. */
  readonly round: number;
  /** The transaction's xid; undefined outside one. */
  readonly xid: (() => number) | undefined;
  /** Text of a label's LSN; undefined while there is no such label. */
  readonly label: (name: string) => string | undefined;
  readonly faker: FakerValues;
}

/**
 * A text without `{{…}}` comes back as a string.
 * @throws TemplateError
 */
export function parseTemplate(text: string, seed: number): Template | string {
  if (!text.includes('{{')) return text;
  const parts: TemplatePart[] = [];
  let literal = '';
  let at = 0;
  while (at < text.length) {
    if (text.startsWith('\\{{', at)) {
      literal += '{{';
      at += 3;
    } else if (text.startsWith('{{', at)) {
      if (literal !== '') parts.push({ kind: 'text', text: literal });
      literal = '';
      const end = endOfExpression(text, at + 2);
      parts.push(parseExpression(text.slice(at + 2, end).trim()));
      at = end + 2;
    } else {
      literal += text[at++]!;
    }
  }
  if (parts.length === 0) return literal;
  if (literal !== '') parts.push({ kind: 'text', text: literal });
  return { parts, seed };
}

/** Arguments may hold `}}` themselves, so with arguments the end is where they are JSON. */
function endOfExpression(text: string, start: number): number {
  for (let end = text.indexOf('}}', start); end >= 0; end = text.indexOf('}}', end + 1)) {
    const expression = text.slice(start, end);
    if (!expression.includes('(') || parseArguments(expression) !== undefined) return end;
  }
  if (text.indexOf('}}', start) < 0) throw new TemplateError('a `{{` without its `}}`', 'a literal {{ is written \\{{');
  throw new TemplateError(
    `${quote(text.slice(start))} does not end in arguments and }}`,
    'arguments are JSON: {{number.int({"min":1,"max":9})}}',
  );
}

function parseArguments(expression: string): unknown[] | undefined {
  const call = /\(([^]*)\)\s*$/.exec(expression);
  try {
    return call === null ? undefined : (JSON.parse(`[${call[1]!}]`) as unknown[]);
  } catch {
    return undefined;
  }
}

function parseExpression(expression: string): TemplatePart {
  if (expression === 'index' || expression === 'xid') return { kind: expression };
  const label = /^([^()]+)\.lsn$/.exec(expression);
  if (label !== null) return { kind: 'label', name: label[1]! };
  const call = /^(\w+)\.(\w+)\s*(?:\([^]*\))?$/.exec(expression);
  if (call === null) {
    const variable = closest(expression, ['index', 'xid']);
    throw new TemplateError(
      `{{${expression}}} is not a variable or a faker function`,
      variable === undefined
        ? 'index, xid, label.lsn, or a faker function such as person.fullName'
        : `did you mean {{${variable}}}?`,
    );
  }
  return { kind: 'faker', call: fakerFunction(call[1]!, call[2]!, parseArguments(expression) ?? []) };
}

/**
 * Null when the template is one call that returns nothing.
 * @throws TemplateError where a variable means nothing
 */
export function evaluateTemplate(template: Template, scope: TemplateScope): string | null {
  if (template.parts.length === 1) return evaluatePart(template.parts[0]!, template.seed, scope);
  let text = '';
  template.parts.forEach((part, i) => {
    text += evaluatePart(part, template.seed + i, scope) ?? '';
  });
  return text;
}

function evaluatePart(part: TemplatePart, seed: number, scope: TemplateScope): string | null {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'index':
      if (scope.index === undefined) throw new TemplateError('{{index}} has a value only inside a `repeat`');
      return String(scope.index);
    case 'xid':
      if (scope.xid === undefined) throw new TemplateError('{{xid}} has a value only inside a transaction');
      return String(scope.xid());
    case 'label': {
      const lsn = scope.label(part.name);
      if (lsn !== undefined) return lsn;
      throw new TemplateError(`no label ${quote(part.name)} stands before this place`);
    }
    case 'faker':
      return scope.faker.call(part.call, seed, scope.round);
  }
}

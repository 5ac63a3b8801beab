/** Scenario text, written step by step: what is printed is not kept. */
import { stringify, type ToStringOptions } from 'yaml';
import type { YamlObject } from './yaml-node.js';

const format: ToStringOptions & { schema: 'failsafe'; aliasDuplicateObjects: false; keepUndefined: false } = {
  // Nothing is wrapped, and no word is quoted because it would be a number: readers of scenarios take every scalar as text.
  schema: 'failsafe',
  lineWidth: 0,
  blockQuote: false,
  doubleQuotedMinMultiLineLength: 1_000_000_000,
  aliasDuplicateObjects: false,
  keepUndefined: false,
};

export function printYaml(value: YamlObject | readonly YamlObject[]): string {
  return stringify(value, format);
}

/** Prints `stream:` and its list. */
export class StepPrinter {
  #indent = '';
  #changes: 'none' | 'some' | null = null;
  #any = false;

  constructor(private readonly output: (text: string) => void) {}

  private write(text: string): void {
    if (!this.#any) this.output('stream:\n');
    this.#any = true;
    this.output(text);
  }

  comment(text: string): void {
    for (const line of text.split('\n')) this.write(`  # ${line}\n`);
  }

  /** A step without changes of its own. */
  step(step: YamlObject): void {
    this.write(indented(printYaml([step]), '  '));
  }

  /** A step of which changes follow. @param nested - below `transaction:` */
  begin(head: YamlObject, nested: boolean): void {
    this.#changes = 'none';
    this.#indent = nested ? '      ' : '    ';
    if (nested) this.write('  - transaction:\n');
    if (Object.values(head).every((value) => value === undefined)) return;
    if (nested) this.write(indented(printYaml(head), this.#indent));
    else this.write(indented(printYaml([head]), '  '));
  }

  change(change: YamlObject, comment?: string): void {
    if (this.#changes === 'none') this.write(`${this.#indent}changes:\n`);
    this.#changes = 'some';
    if (comment !== undefined) this.write(`${this.#indent}  # ${comment}\n`);
    this.write(indented(printYaml([change]), `${this.#indent}  `));
  }

  end(pins: YamlObject): void {
    if (this.#changes === 'none') this.write(`${this.#indent}changes: []\n`);
    this.#changes = null;
    if (Object.values(pins).some((value) => value !== undefined)) this.write(indented(printYaml(pins), this.#indent));
  }
}

function indented(text: string, indent: string): string {
  return text.replace(/^(?=.)/gm, indent);
}

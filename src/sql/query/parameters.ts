/** The parameters of a statement, $1 and up, and what their types turned out to be. */
import { sqlError } from '../failure.js';
import type { Expression, Frame } from '../expression/expression.js';
import { typeOids } from '../types/type-oids.js';

export class Parameters {
  private readonly types: number[];

  /**
   * @param declared types given by the client, 0 for those to be found out
   * @param allowed false where a statement has no parameters (a simple query)
   */
  constructor(
    declared: readonly number[],
    private readonly allowed: boolean,
  ) {
    this.types = [...declared];
  }

  /** @throws SqlError 42P02 */
  use(number: number, location: number): Expression {
    if (!this.allowed || number < 1 || number > 65_535) {
      throw sqlError('42P02', `there is no parameter $${number}`, location);
    }
    while (this.types.length < number) this.types.push(0);
    const declared = this.types[number - 1]!;
    return parameterExpression(number, declared === 0 ? typeOids.unknown : declared, location);
  }

  /** The parameter as of `type`, which it gets where it had none. @throws SqlError 42P08 */
  assign(number: number, type: number, location: number, format: (type: number) => string): Expression {
    const known = this.types[number - 1]!;
    if (known !== 0 && known !== type) {
      throw sqlError('42P08', `inconsistent types deduced for parameter $${number}`, location, {
        detail: `${format(known)} versus ${format(type)}`,
      });
    }
    this.types[number - 1] = type;
    return parameterExpression(number, type, location);
  }

  /** @throws SqlError 42P18 for one whose type nothing tells */
  resolved(): readonly number[] {
    const open = this.types.indexOf(0);
    if (open >= 0) throw sqlError('42P18', `could not determine data type of parameter $${open + 1}`);
    return this.types;
  }
}

function parameterExpression(number: number, type: number, location: number): Expression {
  return {
    type,
    typmod: -1,
    key: `$${number}`,
    children: [],
    evaluate: (frame: Frame) => frame.parameters[number - 1]!,
    print: () => `$${number}`,
    parameter: number,
    location,
  };
}

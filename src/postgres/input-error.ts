import { ValueError } from './pg-type.js';

export function invalidSyntax(typeName: string, text: string): ValueError {
  return new ValueError('22P02', `invalid input syntax for type ${typeName}: "${text}"`);
}

/** `value "300" is out of range for type smallint` */
export function valueOutOfRange(typeName: string, text: string): ValueError {
  return new ValueError('22003', `value "${text}" is out of range for type ${typeName}`);
}

/** What isspace() takes in the C locale. */
export function trimSpace(text: string): string {
  return text.replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g, '');
}

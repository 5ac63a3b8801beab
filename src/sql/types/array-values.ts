/** Array values as their elements, whatever the array type prints like. */
import { parseArray, printArray, type ArrayParts } from '../../postgres/index.js';
import { isVector } from './casts.js';
import type { TypeSpace } from './type-space.js';

export function arrayParts(types: TypeSpace, oid: number, canonical: string): ArrayParts {
  if (isVector(oid)) {
    const elements = canonical === '' ? [] : canonical.split(' ');
    return { lengths: [elements.length], lowerBounds: [0], elements };
  }
  return parseArray(canonical, delimiterOf(types, oid));
}

export function arrayElements(types: TypeSpace, oid: number, canonical: string): readonly (string | null)[] {
  return arrayParts(types, oid, canonical).elements;
}

export function printParts(types: TypeSpace, oid: number, parts: ArrayParts): string {
  if (isVector(oid)) return parts.elements.join(' ');
  return printArray(parts, delimiterOf(types, oid));
}

/** A one-dimensional array from 1. */
export function printElements(types: TypeSpace, oid: number, elements: readonly (string | null)[]): string {
  return printParts(types, oid, { lengths: [elements.length], lowerBounds: [1], elements });
}

function delimiterOf(types: TypeSpace, oid: number): ',' | ';' {
  return types.facts(types.baseOf(oid)).delimiter === ';' ? ';' : ',';
}

/** Which types can be turned into which, and when: pg_cast, arrays element by element, and conversion by text. */
import { castLines } from '../system/casts.js';
import { linesOf, perMajor, wordsOf } from '../system/lines.js';
import { typeOids } from './type-oids.js';
import { isObjectIdentifier, type TypeSpace } from './type-space.js';

/** Implicit in an expression, on assignment (a parameter, a column), or written out. */
export type CastContext = 'implicit' | 'assignment' | 'explicit';

/** relabel: the same value; function: pg_cast names one; elements: an array's, one by one; text: output, then input. */
export type CastMethod = 'relabel' | 'function' | 'elements' | 'text';

interface RecordedCast {
  readonly context: CastContext;
  readonly method: CastMethod;
}

const contexts: Readonly<Record<string, CastContext>> = { i: 'implicit', a: 'assignment', e: 'explicit' };
const methods: Readonly<Record<string, CastMethod>> = { b: 'relabel', f: 'function', i: 'text' };
const strength: Readonly<Record<CastContext, number>> = { implicit: 0, assignment: 1, explicit: 2 };

/** By `source>target`. */
const casts = perMajor((major) => {
  const found = new Map<string, RecordedCast>();
  for (const line of linesOf(castLines, major)) {
    const [source, targets] = line.split(': ');
    for (const word of wordsOf(targets!, major)) {
      const [target, flags] = word.split('/');
      found.set(`${source!}>${target!}`, { context: contexts[flags![0]!]!, method: methods[flags![1]!]! });
    }
  }
  return found;
});

/** Undefined: there is no such cast in that context. */
export function castMethod(types: TypeSpace, from: number, to: number, context: CastContext): CastMethod | undefined {
  if (from === to || from === typeOids.unknown) return from === to ? 'relabel' : 'text';
  const [source, target] = [types.baseOf(from), types.baseOf(to)];
  if (source === target) return 'relabel';
  const [sourceFacts, targetFacts] = [types.byOid(source), types.byOid(target)];
  if (sourceFacts === undefined || targetFacts === undefined) return undefined;
  const recorded = casts(types.major).get(`${sourceFacts.name}>${targetFacts.name}`);
  if (recorded !== undefined && sourceFacts.namespace === 'pg_catalog' && targetFacts.namespace === 'pg_catalog') {
    if (strength[recorded.context] <= strength[context]) return recorded.method;
  }
  if (target === typeOids.record && sourceFacts.kind === 'c') return 'relabel';
  const [sourceElement, targetElement] = [types.elementOf(source), types.elementOf(target)];
  if (sourceElement !== 0 && targetElement !== 0 && !isVector(target)) {
    if (sourceElement === targetElement && !isVector(source)) return 'relabel';
    if (castMethod(types, sourceElement, targetElement, context) !== undefined) return 'elements';
  }
  if (context !== 'implicit' && targetFacts.category === 'S' && targetFacts.name !== 'char') return 'text';
  if (context === 'explicit' && (targetFacts.category === 'S' || sourceFacts.category === 'S')) return 'text';
  if (context === 'explicit' && source === typeOids.record && targetFacts.kind === 'c') return 'relabel';
  return isObjectIdentifier(sourceFacts) && target === typeOids.oid ? 'relabel' : undefined;
}

/** int2vector, oidvector: arrays from 0 that print without braces. */
export function isVector(oid: number): boolean {
  return oid === typeOids.int2vector || oid === typeOids.oidvector;
}

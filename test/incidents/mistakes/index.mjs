// Mistakes that consumers of the field made, each as the sample consumer with one thing done wrong.
//
// `fails`: the scenarios that find it out, for sure. It may well fail others.
import { connectionMistakes } from './connections.mjs';
import { positionMistakes } from './positions.mjs';
import { rowMistakes } from './rows.mjs';
import { schemaMistakes } from './schemas.mjs';
import { streamMistakes } from './streams.mjs';
import { valueMistakes } from './values.mjs';

export const mistakes = {
  ...rowMistakes,
  ...schemaMistakes,
  ...streamMistakes,
  ...positionMistakes,
  ...connectionMistakes,
  ...valueMistakes,
};

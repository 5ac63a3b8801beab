import { describe, expect, it } from '@jest/globals';
import type { Table } from './catalog.js';
import { OutOfLine, unchanged, type Row } from './datum.js';
import { isUnsent, loggedByDelete, loggedByUpdate, type LoggedOldRow } from './replica-identity.js';
import type { DeleteChange, UpdateChange } from './timeline.js';

const long = new OutOfLine('long');

function table(replicaIdentity: Table['replicaIdentity'], identityColumns: number[]): Table {
  return { replicaIdentity, identityColumns } as Partial<Table> as Table;
}

function update(of: Table, old: Row | null, changed: Row, logged: UpdateChange['logged'] = 'derived'): UpdateChange {
  return { kind: 'update', table: of, old, new: changed, logged, lsn: 1n, xid: 3 };
}

describe('the old row that an UPDATE logs', () => {
  const keyed = table('default', [0]);
  it.each<[string, UpdateChange, LoggedOldRow]>([
    ['nothing where the key stays', update(keyed, ['1', 'a'], ['1', 'b']), 'nothing'],
    ['the key where it changes', update(keyed, ['1', 'a'], ['2', 'a']), 'key'],
    ['the key where equal values have other bytes', update(keyed, ['1.0', 'a'], ['1.00', 'a']), 'key'],
    ['the key where it lies out of line, changed or not', update(keyed, [long, 'a'], [long, 'b']), 'key'],
    ['nothing where another column lies out of line', update(keyed, ['1', long], ['1', long]), 'nothing'],
    ['the whole row under FULL, changed or not', update(table('full', []), ['1', 'a'], ['1', 'a']), 'full'],
    ['nothing without an identity', update(table('nothing', []), ['1', 'a'], ['2', 'a']), 'nothing'],
    ['what the author saw: the key', update(keyed, ['1', 'a'], ['1', 'a'], 'key'), 'key'],
    ['what the author saw: no old row', update(table('full', []), null, ['1', 'a'], 'nothing'), 'nothing'],
  ])('is %s', (_, change, logged) => {
    expect(loggedByUpdate(change)).toBe(logged);
  });
});

describe('the old row that a DELETE logs', () => {
  it.each<[Table['replicaIdentity'], number[], LoggedOldRow]>([
    ['default', [0], 'key'],
    ['index', [1], 'key'],
    ['default', [], 'nothing'],
    ['nothing', [], 'nothing'],
    ['full', [], 'full'],
  ])('under %s with identity columns %j is: %s', (identity, columns, logged) => {
    const change = { kind: 'delete', table: table(identity, columns), old: ['1', 'a'], logged: 'derived' };
    expect(loggedByDelete(change as unknown as DeleteChange)).toBe(logged);
  });
});

describe('a value out of line', () => {
  it('is not sent while it is the old one, though another has the same text', () => {
    expect(isUnsent(long, [long], 0)).toBe(true);
    expect(isUnsent(new OutOfLine('long'), [long], 0)).toBe(false);
    expect(isUnsent(long, null, 0)).toBe(false);
    expect(isUnsent(unchanged, null, 0)).toBe(true);
  });
});

// What consumers were seen to make of values.
import { Table } from '../sample/table.mjs';

/** Turns texts of columns of these types into something else; undefined drops the row. */
const converting = (oids, convert) =>
  class extends Table {
    describe(relation) {
      super.describe(relation);
      this.relation = relation;
    }
    put(row, tuple) {
      const isMeant = (cell, index) => typeof cell === 'string' && oids.includes(this.relation.columns[index].typeOid);
      const cells = tuple.map((cell, index) => (isMeant(cell, index) ? convert(cell) : cell));
      if (!cells.includes(undefined)) super.put(row, cells);
    }
  };

const bool = 16;
const int8 = 20;
const numeric = 1700;
const arrays = [1000, 1007, 1009, 1020];
const times = { date: 1082, timestamp: 1114, timestamptz: 1184 };

export const valueMistakes = {
  'drops-dates-that-do-not-parse': {
    fails: ['m1-dates-out-of-the-ordinary', 'm2-infinite-times'],
    Table: converting(Object.values(times), (text) => (Number.isNaN(Date.parse(text)) ? undefined : text)),
  },
  'wants-offsets-in-full': {
    fails: ['m6-short-time-zone-offsets'],
    Table: converting([times.timestamptz], (text) => (/[+-]\d\d:\d\d$/.test(text) ? text : undefined)),
  },
  'counts-in-doubles-of-values': {
    fails: ['m3-numerics-that-are-no-numbers', 'r5-types-and-their-texts'],
    Table: converting([int8, numeric], (text) => String(Number(text))),
  },
  'spells-infinity-its-own-way': {
    fails: ['m4-spelling-of-special-values'],
    Table: converting([numeric], (text) => text.replace('Infinity', 'inf')),
  },
  'takes-any-boolean-for-true': { fails: ['m5-false-is-not-true'], Table: converting([bool], () => 't') },
  'splits-arrays-at-commas': {
    fails: ['m7-arrays-in-their-odd-forms'],
    Table: converting(arrays, (text) => text.replaceAll(/["\\]|\[.*=/g, '')),
  },
};

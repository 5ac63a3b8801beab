/** The text of a partition's bound, as pg_get_expr gives it → the keys of a partition. */
import { text, type Yaml, type YamlMap } from './yaml.js';

export function partitionBound(bound: string): YamlMap {
  if (bound === 'DEFAULT') return { default: true };
  const range = /^FOR VALUES FROM \((.*)\) TO \((.*)\)$/s.exec(bound);
  if (range) return { from: bounds(range[1]!), to: bounds(range[2]!) };
  const list = /^FOR VALUES IN \((.*)\)$/s.exec(bound);
  if (list) return { values: bounds(list[1]!) };
  const hash = /^FOR VALUES WITH \(modulus (\d+), remainder (\d+)\)$/.exec(bound);
  if (hash) return { modulus: Number(hash[1]), remainder: Number(hash[2]) };
  throw new Error(`cannot read the partition bound ${bound}`);
}

/** Constants, with or without quotes and a cast, MINVALUE, MAXVALUE, NULL. */
function bounds(list: string): Yaml[] {
  const items = list.match(/E?'(?:[^']|'')*'(?:::[^,]+)?|[^,\s][^,]*/gs) ?? [];
  return items.map((item) => {
    const quoted = /^E?'((?:[^']|'')*)'/s.exec(item);
    if (quoted) return text(quoted[1]!.replaceAll("''", "'"));
    if (item === 'NULL') return null;
    return /^(MINVALUE|MAXVALUE)$/.test(item) ? item : text(item);
  });
}

/** WITH (…) of CREATE and ALTER PUBLICATION. */
import type { DefElem, Node } from 'libpg-query';
import type { Publication } from '../../timeline/catalog.js';
import { foldIdentifier, parseIdentifierList } from '../../protocol/identifier.js';
import { sqlError } from '../failure.js';
import { stringOf } from '../nodes.js';
import { booleanOf } from '../session/setting-values.js';

/** Undefined: not given. */
export interface PublicationOptions {
  readonly publish: Publication['publish'] | undefined;
  readonly viaPartitionRoot: boolean | undefined;
  readonly generatedColumns: Publication['generatedColumns'] | undefined;
}

const known: Readonly<Record<string, number>> = {
  publish: 10,
  publish_via_partition_root: 13,
  publish_generated_columns: 18,
};

/** @throws SqlError 42601, 22023 */
export function publicationOptions(nodes: readonly Node[], major: number): PublicationOptions {
  const given = new Map<string, DefElem>();
  for (const node of nodes) {
    const option = (node as { DefElem: DefElem }).DefElem;
    const name = option.defname!;
    if (given.has(name))
      throw sqlError('42601', 'conflicting or redundant options', major >= 15 ? option.location : undefined);
    if (!(major >= (known[name] ?? Infinity)))
      throw sqlError('42601', `unrecognized publication parameter: ${major >= 12 ? `"${name}"` : name}`);
    given.set(name, option);
  }
  const publish = given.get('publish');
  const viaRoot = given.get('publish_via_partition_root');
  const generated = given.get('publish_generated_columns');
  return {
    publish: publish && actionsOf(textOf(publish), major),
    viaPartitionRoot: viaRoot && flagOf(viaRoot),
    generatedColumns: generated && generatedOf(generated),
  };
}

function textOf({ arg, defname }: DefElem): string {
  if (arg === undefined) throw sqlError('42601', `${defname!} requires a parameter`);
  if ('TypeName' in arg) return stringOf(arg.TypeName.names!.at(-1)!);
  if ('Integer' in arg) return String(arg.Integer.ival ?? 0);
  if ('Boolean' in arg) return arg.Boolean.boolval === true ? 'true' : 'false';
  return stringOf(arg);
}

const actions = ['insert', 'update', 'delete', 'truncate'] as const;

function actionsOf(text: string, major: number): Publication['publish'] {
  const words = parseIdentifierList(text);
  if (words === undefined) throw sqlError('42601', 'invalid list syntax in parameter "publish"');
  const publish = { insert: false, update: false, delete: false, truncate: false };
  for (const word of words) {
    const action = actions.find((name) => name === foldIdentifier(word));
    if (action === undefined) {
      const what = major >= 15 ? 'value for publication option "publish"' : '"publish" value';
      throw sqlError('42601', `unrecognized ${what}: "${word}"`);
    }
    publish[action] = true;
  }
  return publish;
}

function flagOf(option: DefElem): boolean {
  if (option.arg === undefined) return true;
  const value = booleanOf(textOf(option));
  if (value === undefined) throw sqlError('42601', `${option.defname!} requires a Boolean value`);
  return value;
}

function generatedOf(option: DefElem): Publication['generatedColumns'] {
  const value = option.arg === undefined ? 'stored' : textOf(option).toLowerCase();
  if (value === 'none' || value === 'stored') return value;
  throw sqlError(
    '22023',
    `invalid value for publication parameter "publish_generated_columns": "${value}"`,
    undefined,
    {
      detail: 'Valid values are "none" and "stored".',
    },
  );
}

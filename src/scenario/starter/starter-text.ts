/** A scenario to begin with: commented, and right as it stands. */
import type { MapNode } from '../node.js';
import { printYaml } from '../print.js';
import { yamlOf } from './node-yaml.js';

export interface StarterOptions {
  readonly title: string;
  /** `17`, or undefined for the default. */
  readonly version?: string;
  /** `types`, `tables` and `publications`; those of an example where absent. */
  readonly schema?: MapNode;
  /** The list below `stream:`, indented by two. */
  readonly stream?: string;
}

export function starterText({ title, version, schema, stream }: StarterOptions): string {
  const parts = [
    '# What a database did, and how a consumer is judged by it.',
    '#   fake-walsender lint FILE      checks this file',
    '#   fake-walsender encode FILE    prints the messages that a client receives',
    '#   fake-walsender serve FILE     lets a client connect',
    '',
    printYaml({ scenario: title }).trimEnd(),
    '',
    `server:\n  version: ${version ?? '18'} # the emulated major: 10 to 18`,
    '',
    schema === undefined ? exampleSchema : schemaText(schema),
    '# What happens, in order. A change that stands alone is a transaction of its own.',
    stream === undefined && schema !== undefined ? 'stream: []' : `stream:\n${(stream ?? exampleSteps).trimEnd()}`,
    '',
    '# What a correct consumer does.',
    'expect:',
    '  - flushed: end # it confirms everything …',
    '    within: 10s # … so soon after it was sent',
  ];
  return `${parts.join('\n')}\n`;
}

const about: Readonly<Record<string, string>> = {
  types: '# Types of the database’s own.',
  tables: '# The tables. `rows` of a table are what it holds before the stream starts.',
  publications: '# What subscribers may ask for. Without any, every name exists and publishes everything.',
};

function schemaText({ entries }: MapNode): string {
  return entries.map(({ key, value }) => `${about[key]!}\n${printYaml({ [key]: yamlOf(value) as never })}`).join('\n');
}

const exampleSchema = `# The tables, and what they hold before the stream starts.
tables:
  public.users:
    columns:
      id: bigint primary key
      email: text not null
      plan: { type: text, default: free } # rows that leave it out have this
      bio: { type: text, toasted: true } # stored out of line: not sent again while it does not change
    rows:
      - { id: 1, email: ann@example.com, bio: Likes long walks. }
      - { id: 2, email: bob@example.com }
      # Many at once; {{…}} is a variable or a faker function, in quotes.
      - { repeat: 10, row: { id: '{{number.int({"min":1000,"max":999999})}}', email: '{{internet.email}}' } }
  public.orders:
    replica_identity: full # an UPDATE or DELETE tells all of the old row
    columns:
      id: int primary key
      user_id: bigint not null
      total: numeric(10,2) not null

# What subscribers may ask for. Without any, every name exists and publishes everything.
publications:
  app_pub: { tables: [public.users, public.orders] }
`;

const exampleSteps = `  - insert: users
    row: { id: 3, email: cy@example.com }

  # The key changes: the consumer is told the old one.
  - update: users
    where: { id: 1 }
    set: { id: 101 }

  # Several changes in one transaction.
  - transaction:
      changes:
        - insert: orders
          row: { id: 1, user_id: 3, total: 19.90 }
        - update: orders
          where: { id: 1 }
          set: { total: 17.90 }
        - delete: users
          where: { id: 2 }

  # SQL does as well.
  - sql: UPDATE users SET plan = upper(plan) WHERE id = 3

  - label: before-truncate # a name for this place
  - truncate: [orders]
`;

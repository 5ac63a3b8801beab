/** What consumers must be told of each scenario: written from what the scenario means, not from what the project makes of it. */
import { expect } from '@jest/globals';
import { unchanged, type Change, type Delete, type Insert, type Row, type Update } from './change.js';

const insert = (table: string, row: Row): Insert => ({ kind: 'insert', table: `public.${table}`, new: row });
const update = (table: string, before: Pick<Update, 'key' | 'old'>, row: Row): Update => ({
  kind: 'update',
  table: `public.${table}`,
  ...before,
  new: row,
});
const remove = (table: string, before: Pick<Delete, 'key' | 'old'>): Delete => ({
  kind: 'delete',
  table: `public.${table}`,
  ...before,
});
const message = (prefix: string, content: string | Buffer, transactional = true): Change => ({
  kind: 'message',
  prefix,
  content: Buffer.from(content).toString('hex'),
  transactional,
});

function keyChange(): Change[] {
  const line = (no: string, customer: string, amount: string): Row => ({
    order_no: '7001',
    line_no: no,
    customer_no: customer,
    amount,
  });
  const bo = { name: 'Bo Larsen', email: 'bo@example.org' };
  const chen = { name: 'Chen Wei', email: 'chen.wei@example.com' };
  return [
    update('customers', {}, { customer_no: '102', ...bo }),
    update(
      'customers',
      { key: { customer_no: '101' } },
      { customer_no: '501', name: 'Ann Miller', email: 'ann.miller@example.com' },
    ),
    update('order_lines', {}, line('1', '501', '19.90')),
    update('order_lines', {}, line('2', '501', '5.00')),
    update('order_lines', { key: { order_no: '7001', line_no: '2' } }, line('3', '501', '5.00')),
    update('customers', { key: { customer_no: '102' } }, { customer_no: '0', ...bo }),
    update('customers', { key: { customer_no: '103' } }, { customer_no: '102', ...chen }),
    update('customers', { key: { customer_no: '0' } }, { customer_no: '103', ...bo }),
  ];
}

function replicaIdentityFull(): Change[] {
  const entry = (time: string, actor: string | null, action: string, detail: string | null = null): Row => ({
    happened_at: `2026-01-05 08:${time}+00`,
    actor,
    action,
    detail,
  });
  const export_ = entry('05:40', 'ann', 'export', '{"rows": 1500, "format": "csv"}');
  const backup = (actor: string | null): Row => entry('02:11', actor, 'backup', '{"ok": true, "files": 12}');
  return [
    insert('audit_log', export_),
    update('audit_log', { old: entry('00:00', 'bo', 'login') }, entry('00:00', 'bo', 'logout')),
    update('audit_log', { old: backup(null) }, backup('cron')),
    update('audit_log', { old: export_ }, export_),
    remove('audit_log', { old: entry('00:00', 'ann', 'login') }),
  ];
}

function unchangedToast(): Change[] {
  const article = (id: string, title: string, body: string | null, summary: string | null): Row => ({
    id,
    title,
    body,
    summary,
  });
  const decoding = 'Changes are decoded from WAL when a transaction commits, or before when it is large. …';
  const slots = (body: string | null): Row => article('1', 'Replication slots explained', body, 'About slots');
  return [
    update('articles', {}, slots(unchanged)),
    update('articles', {}, article('2', 'Logical decoding', decoding, null)),
    update('articles', { key: { id: '2' } }, article('20', 'Logical decoding', unchanged, 'About decoding')),
    update(
      'article_history',
      { old: { article_id: '1', revision: '1', body: 'A slot keeps WAL. …' } },
      { article_id: '1', revision: '2', body: unchanged },
    ),
    update('articles', {}, slots('')),
    update('articles', {}, slots(null)),
  ];
}

function deleteByKeyAndFullRow(): Change[] {
  const ann = '6f1c2c8e-0b39-4c52-9a37-5d5f6f0a0001';
  return [
    remove('memberships', { key: { account_id: ann, club: 'chess' } }),
    remove('memberships', { key: { account_id: ann, club: 'rowing' } }),
    remove('accounts', { key: { id: ann } }),
    remove('mailboxes', { key: { address: 'ann@example.com' } }),
    remove('sessions', { old: { token: '3f2a77c0', account_id: null, last_seen: '2026-01-04 21:16:30' } }),
    insert('accounts', { id: ann, owner: 'Ann Miller-Roth', balance: '10.00' }),
  ];
}

/** As it is at the commits: what was rolled back is not there, however it came. */
function largeStreamedTransaction(): Change[] {
  const number: unknown = expect.stringMatching(/^\d+(\.\d+)?$/);
  const batch = (digit: string, count: number): Change[] =>
    Array.from({ length: count }, (_, index) =>
      insert('measurements', { id: `${digit}${index}`, sensor: 'boiler', value: number }),
    );
  return [
    update('measurements', {}, { id: '1', sensor: 'boiler', value: '62.25' }),
    insert('import_runs', { id: '1', state: 'running' }),
    ...batch('1', 200),
    ...batch('4', 100),
    update('import_runs', {}, { id: '1', state: 'done' }),
    insert('measurements', { id: '2', sensor: 'boiler', value: '63' }),
  ];
}

function truncateAndMessages(): Change[] {
  const truncate = (tables: readonly string[], cascade: boolean, restartIdentity: boolean): Change => ({
    kind: 'truncate',
    tables: tables.map((table) => `public.${table}`),
    cascade,
    restartIdentity,
  });
  return [
    message('heartbeat', 'load starts', false),
    message('load', '{"batch":17,"state":"begin"}'),
    insert('orders', { id: '1', sku: 'A-100', quantity: '2' }),
    insert('orders', { id: '2', sku: 'B-205', quantity: '1' }),
    truncate(['staging_orders', 'staging_lines'], false, true),
    message('load', '{"batch":17,"state":"end"}'),
    message('snapshot', Buffer.from('00ff10', 'hex')),
    insert('staging_orders', { id: '1', payload: '{"sku": "C-300", "quantity": 4}' }),
    truncate(['staging_orders'], true, false),
  ];
}

export interface Scenario {
  readonly name: string;
  readonly publication: string;
  readonly changes: readonly Change[];
}

export const scenarios: readonly Scenario[] = [
  { name: 'key-change', publication: 'shop', changes: keyChange() },
  { name: 'replica-identity-full', publication: 'audit', changes: replicaIdentityFull() },
  { name: 'unchanged-toast', publication: 'content', changes: unchangedToast() },
  { name: 'delete-by-key-and-full-row', publication: 'bank', changes: deleteByKeyAndFullRow() },
  { name: 'large-streamed-transaction', publication: 'telemetry', changes: largeStreamedTransaction() },
  { name: 'truncate-and-messages', publication: 'warehouse', changes: truncateAndMessages() },
];

/** What pg_hba.conf decides: here, that only clients of this machine are let in without a password, unless told otherwise. */
import { WireError } from '../values/wire-error.js';
import type { ReplicationMode } from './events.js';

export interface AccessRequest {
  readonly host: string;
  readonly user: string;
  readonly database: string;
  readonly replication: ReplicationMode;
  readonly tls: boolean;
}

/** FATAL 28000, as a server says it whose pg_hba.conf has no line for this client. */
export function noAccess({ host, user, database, replication, tls }: AccessRequest, major: number): WireError {
  const encryption = major >= 14 ? (tls ? 'SSL encryption' : 'no encryption') : tls ? 'SSL on' : 'SSL off';
  // Up to 13 logical walsenders were told the same as physical ones.
  const asReplication = replication === 'physical' || (replication === 'logical' && major < 14);
  const message = asReplication
    ? `no pg_hba.conf entry for replication connection from host "${host}", user "${user}", ${encryption}`
    : `no pg_hba.conf entry for host "${host}", user "${user}", database "${database}", ${encryption}`;
  const hint = 'fake-walsender trusts clients of its own machine only: give users passwords, or allow remote trust.';
  return new WireError({ severity: 'FATAL', code: '28000', message, hint });
}

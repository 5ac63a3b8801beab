/** Prepared statements and portals of a session, those made by SQL (PREPARE, DECLARE) included: they share their names. */
import type { Node } from 'libpg-query';
import { WireError } from '../../values/wire-error.js';
import type { Portal } from './portal.js';

export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  /** Undefined: an empty text. */
  readonly node: Node | undefined;
  /** OIDs. */
  readonly parameterTypes: readonly number[];
  readonly fromSql: boolean;
  /** Microseconds since 2000. */
  readonly preparedAt: bigint;
}

export class StatementStore {
  readonly statements = new Map<string, PreparedStatement>();
  readonly portals = new Map<string, Portal>();

  /** @throws WireError 26000 */
  statement(name: string): PreparedStatement {
    const found = this.statements.get(name);
    if (found !== undefined) return found;
    const message =
      name === '' ? 'unnamed prepared statement does not exist' : `prepared statement "${name}" does not exist`;
    throw new WireError({ code: '26000', message });
  }

  /** The unnamed one is replaced. @throws WireError 42P05 */
  addStatement(statement: PreparedStatement): void {
    const { name } = statement;
    if (name !== '' && this.statements.has(name)) {
      throw new WireError({ code: '42P05', message: `prepared statement "${name}" already exists` });
    }
    this.statements.set(name, statement);
  }

  /** @throws WireError 34000 */
  portal(name: string): Portal {
    const found = this.portals.get(name);
    if (found !== undefined) return found;
    throw new WireError({ code: '34000', message: `portal "${name}" does not exist` });
  }

  /** The unnamed one is replaced. @throws WireError 42P03 */
  addPortal(portal: Portal): void {
    const { name } = portal;
    if (name !== '' && this.portals.has(name))
      throw new WireError({ code: '42P03', message: `cursor "${name}" already exists` });
    this.closePortal(name);
    this.portals.set(name, portal);
  }

  closePortal(name: string): void {
    this.portals.get(name)?.close();
    this.portals.delete(name);
  }

  /** Portals end with their transaction. */
  closePortals(): void {
    for (const name of [...this.portals.keys()]) this.closePortal(name);
  }

  clear(): void {
    this.statements.clear();
    this.closePortals();
  }
}

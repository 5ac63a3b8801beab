/** What the consumer was shown, out of all there is. */
import type { MessageKind } from '../pgoutput/messages.js';
import type { SessionEvent } from '../walsender/events.js';
import {
  addVariants,
  allFaults,
  faultName,
  messageKinds,
  messageVariants,
  serverVersions,
  type MessageVariant,
} from './coverage-items.js';

export interface CoverageGroup {
  readonly name: 'messages' | 'variants' | 'faults' | 'server versions';
  readonly shown: readonly string[];
  readonly missing: readonly string[];
}

export interface CoverageReport {
  /** Of all items of all groups, 0 to 100. */
  readonly percent: number;
  readonly groups: readonly CoverageGroup[];
}

export class Coverage {
  readonly #messages = new Set<MessageKind>();
  readonly #variants = new Set<MessageVariant>();
  readonly #faults = new Set<string>();
  readonly #versions = new Set<string>();
  /** Relations that each session was told. */
  readonly #relations = new Map<number, Set<number>>();

  /** Needs `message:sent`. @param major of the server on which it happened */
  follow(event: SessionEvent, major: number): void {
    switch (event.kind) {
      case 'replication:start':
        this.#versions.add(String(major));
        break;
      case 'message:sent':
        this.#messages.add(event.message.kind);
        addVariants(event.message, this.#variants);
        if (event.message.kind === 'relation') this.#tellRelation(event.pid, event.message.relationId);
        break;
      case 'fault': {
        const name = faultName(event.step);
        if (name !== undefined) this.#faults.add(name);
        break;
      }
      case 'disconnect':
        this.#relations.delete(event.pid);
        break;
      default:
    }
  }

  /** Adds what another one was shown. */
  add(other: Coverage): void {
    for (const kind of other.#messages) this.#messages.add(kind);
    for (const variant of other.#variants) this.#variants.add(variant);
    for (const fault of other.#faults) this.#faults.add(fault);
    for (const version of other.#versions) this.#versions.add(version);
  }

  report(): CoverageReport {
    const groups = [
      group('messages', messageKinds, this.#messages),
      group('variants', messageVariants, this.#variants),
      group('faults', allFaults, this.#faults),
      group('server versions', serverVersions, this.#versions),
    ];
    const count = (of: 'shown' | 'missing'): number => groups.reduce((sum, each) => sum + each[of].length, 0);
    return { percent: (100 * count('shown')) / (count('shown') + count('missing')), groups };
  }

  #tellRelation(pid: number, relationId: number): void {
    const told = this.#relations.get(pid);
    if (told?.has(relationId)) this.#variants.add('relation repeated');
    if (told) told.add(relationId);
    else this.#relations.set(pid, new Set([relationId]));
  }
}

function group(name: CoverageGroup['name'], all: readonly string[], seen: ReadonlySet<string>): CoverageGroup {
  return { name, shown: all.filter((item) => seen.has(item)), missing: all.filter((item) => !seen.has(item)) };
}

/** `61 %`: rounded down, so that only all is 100. */
export function formatPercent(percent: number): string {
  return `${Math.floor(percent)} %`;
}

/** A line for all, and one of what was shown for each group; `full`: and one of what was not. */
export function formatCoverage({ percent, groups }: CoverageReport, { full = false } = {}): string {
  const lines = [`the consumer was shown ${formatPercent(percent)} of all there is`];
  for (const { name, shown, missing } of groups) {
    const items = shown.length > 0 ? `: ${shown.join(', ')}` : '';
    lines.push(`  ${name}: ${shown.length} of ${shown.length + missing.length}${items}`);
    if (full && missing.length > 0) lines.push(`    not shown: ${missing.join(', ')}`);
  }
  return lines.join('\n');
}

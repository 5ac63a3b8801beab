/**
 * The settings of one session: defaults, what the connection asked for, what SET changed.
 *
 * Changes by SET last until the session ends, unless their transaction is rolled back; those by SET LOCAL until it ends. Both are
 * kept as layers over the values that the session began with.
 */
import type { OutputSettings } from '../../postgres/pg-type.js';
import { sqlError } from '../failure.js';
import { settingDefinitions, type SettingDefinition } from './setting-definitions.js';
import { checkedValue, shownValue } from './setting-values.js';
import { dateStyleOf, specialChecks } from './special-settings.js';

export interface SettingsOptions {
  readonly major: number;
  /** The server's configuration, names in lower case. */
  readonly configuration: ReadonlyMap<string, string>;
  /** Known from the connection: server_version, session_authorization, in_hot_standby … */
  readonly fixed: ReadonlyMap<string, string>;
  readonly isSuperuser: boolean;
}

interface Layers {
  /** By name in lower case. */
  readonly session: Map<string, string>;
  /** SET LOCAL. */
  readonly local: Map<string, string>;
}

/** Where a change comes from, which decides what may be changed. */
export type SettingSource = 'configuration' | 'startup' | 'session';

export class SessionSettings {
  private layers: Layers = { session: new Map(), local: new Map() };
  /** What RESET goes back to. */
  private readonly base = new Map<string, string>();
  private readonly saved: Layers[] = [];
  private readonly definitions: ReadonlyMap<string, SettingDefinition>;
  private readonly reported = new Map<string, string>();
  /** Set since the last report, whatever to. */
  private readonly touched = new Set<string>();
  private cachedOutput: OutputSettings | undefined;

  constructor(private readonly options: SettingsOptions) {
    this.definitions = settingDefinitions(options.major);
    for (const [name, value] of options.fixed) this.base.set(name, value);
    for (const [name, value] of options.configuration) this.base.set(name, this.checked(name, value));
  }

  /** @throws SqlError 42704 */
  definition(name: string): SettingDefinition | undefined {
    const found = this.definitions.get(name.toLowerCase());
    if (found === undefined && !isCustom(name)) throw unrecognized(name);
    return found;
  }

  /** Undefined for a name with a dot that nobody has set. @throws SqlError 42704 */
  value(name: string): string | undefined {
    const key = name.toLowerCase();
    const known = this.layers.local.get(key) ?? this.layers.session.get(key) ?? this.base.get(key);
    return known ?? this.definition(name)?.value;
  }

  /** As SHOW prints it. @throws SqlError 42704 */
  show(name: string): { readonly name: string; readonly value: string } {
    const definition = this.definition(name);
    const value = this.value(name);
    if (value === undefined) throw unrecognized(name);
    return definition === undefined ? { name, value } : { name: definition.name, value: shownValue(definition, value) };
  }

  /** All settings, by name. */
  *all(): Generator<{ definition: SettingDefinition; value: string; resetValue: string }> {
    for (const [key, definition] of this.definitions) {
      if (definition.isHidden) continue;
      yield { definition, value: this.value(key)!, resetValue: this.base.get(key) ?? definition.value };
    }
  }

  private changed(key: string): void {
    this.touched.add(key);
    this.cachedOutput = undefined;
  }

  /** From the start-up packet: RESET comes back to it. @throws SqlError */
  start(name: string, value: string): void {
    const key = name.toLowerCase();
    this.checkContext(name, 'startup');
    this.base.set(key, this.checked(name, value));
    this.cachedOutput = undefined;
  }

  /** @throws SqlError 42704, 22023, 55P02, 42501 */
  set(name: string, value: string, isLocal: boolean): void {
    const key = name.toLowerCase();
    this.checkContext(name, 'session');
    const checked = this.checked(name, value);
    if (isLocal) this.layers.local.set(key, checked);
    else {
      this.layers.local.delete(key);
      this.layers.session.set(key, checked);
    }
    this.changed(key);
  }

  /** SET x TO DEFAULT, RESET x. */
  reset(name: string, isLocal: boolean): void {
    const key = name.toLowerCase();
    const definition = this.definition(name);
    this.checkContext(name, 'session');
    if (isLocal) this.layers.local.set(key, this.base.get(key) ?? definition?.value ?? '');
    else {
      this.layers.local.delete(key);
      this.layers.session.delete(key);
    }
    this.changed(key);
  }

  resetAll(): void {
    for (const key of this.layers.session.keys()) this.changed(key);
    this.layers.session.clear();
    this.layers.local.clear();
    this.cachedOutput = undefined;
  }

  private checked(name: string, value: string): string {
    const definition = this.definition(name);
    if (definition === undefined) return value;
    const special = specialChecks[name.toLowerCase()];
    return special === undefined
      ? checkedValue(definition, value, this.options.major)
      : special(value, this.value(name)!);
  }

  private checkContext(name: string, source: SettingSource): void {
    const definition = this.definition(name);
    const refuse = (how: string): Error => sqlError('55P02', `parameter "${definition!.name}" cannot be ${how}`);
    switch (definition?.context) {
      case 'internal':
        throw refuse('changed');
      case 'postmaster':
        throw refuse('changed without restarting the server');
      case 'sighup':
        throw refuse('changed now');
      case 'backend':
      case 'superuser-backend':
        if (source === 'session') throw refuse('set after connection start');
        break;
      default:
        break;
    }
    const needsSuperuser = definition?.context === 'superuser' || definition?.context === 'superuser-backend';
    if (needsSuperuser && !this.options.isSuperuser) {
      throw sqlError('42501', `permission denied to set parameter "${definition.name}"`);
    }
  }

  /** Before a transaction or a savepoint. */
  save(): void {
    this.saved.push(copyOf(this.layers));
  }

  /** Back to what the last `save` found. */
  restore(): void {
    this.layers = this.saved.pop() ?? this.layers;
    this.cachedOutput = undefined;
  }

  /** The last `save` is not needed any more. @param isTransaction its end: what was local is gone */
  keep(isTransaction: boolean): void {
    this.saved.pop();
    if (!isTransaction) return;
    this.layers.local.clear();
    this.cachedOutput = undefined;
  }

  /** Reported settings that have changed since the last call; up to 13 also those that were set to what they were. */
  changes(): [name: string, value: string][] {
    const changed: [string, string][] = [];
    for (const definition of this.definitions.values()) {
      if (!definition.isReported) continue;
      const value = this.value(definition.name)!;
      const isTouched = this.options.major < 14 && this.touched.has(definition.name.toLowerCase());
      if (this.reported.get(definition.name) === value && !isTouched) continue;
      this.reported.set(definition.name, value);
      changed.push([definition.name, value]);
    }
    this.touched.clear();
    return changed;
  }

  /** DISCARD ALL sets these too. */
  touchAuthorization(): void {
    this.changed('is_superuser');
    this.changed('session_authorization');
  }

  get output(): OutputSettings {
    this.cachedOutput ??= {
      major: this.options.major,
      dateStyle: dateStyleOf(this.value('DateStyle')!),
      intervalStyle: this.value('IntervalStyle') as OutputSettings['intervalStyle'],
      timeZone: this.value('TimeZone')!,
      extraFloatDigits: Number(this.value('extra_float_digits')),
      byteaOutput: this.value('bytea_output') as OutputSettings['byteaOutput'],
    };
    return this.cachedOutput;
  }
}

/** Settings of extensions have a dot in their names, and need not be known. */
function isCustom(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_$]*(\.[\p{L}_][\p{L}\p{N}_$]*)+$/u.test(name);
}

function unrecognized(name: string): Error {
  return sqlError('42704', `unrecognized configuration parameter "${name}"`);
}

function copyOf({ session, local }: Layers): Layers {
  return { session: new Map(session), local: new Map(local) };
}

/** The walsender's commands (manual: "Streaming Replication Protocol"), as data and as parsed from a Query message's text. */
import { WireError } from '../values/wire-error.js';
import { ReplicationLexer, type Token } from './replication-lexer.js';

/** An option in parentheses. `value` null: none given. */
export interface GenericOption {
  readonly name: string;
  readonly value: string | number | null;
}

/** An option of the output plugin: its text, if it has one. */
export interface PluginOption {
  readonly name: string;
  readonly value: string | null;
}

/** A replication command that was parsed (the manual's "Streaming Replication Protocol"). LSNs are bigints. */
export type ReplicationCommand =
  | { readonly kind: 'identifySystem' }
  | { readonly kind: 'show'; readonly name: string }
  | { readonly kind: 'readReplicationSlot'; readonly slot: string }
  | {
      readonly kind: 'createReplicationSlot';
      readonly slot: string;
      readonly temporary: boolean;
      /** Null: PHYSICAL. */
      readonly plugin: string | null;
      /** Both syntaxes, as the one in parentheses. */
      readonly options: readonly GenericOption[];
    }
  | { readonly kind: 'alterReplicationSlot'; readonly slot: string; readonly options: readonly GenericOption[] }
  | { readonly kind: 'dropReplicationSlot'; readonly slot: string; readonly wait: boolean }
  | { readonly kind: 'timelineHistory'; readonly timeline: number }
  /** `timeline` 0: the current one. */
  | {
      readonly kind: 'startPhysical';
      readonly slot: string | null;
      readonly startLsn: bigint;
      readonly timeline: number;
    }
  | {
      readonly kind: 'startLogical';
      readonly slot: string;
      readonly startLsn: bigint;
      readonly options: readonly PluginOption[];
    }
  | { readonly kind: 'baseBackup' }
  | { readonly kind: 'uploadManifest' };

export type CommandKind = ReplicationCommand['kind'];

/** The command's name, as its completion tag says it from 13 on. */
export const commandNames: Readonly<Record<CommandKind, string>> = {
  identifySystem: 'IDENTIFY_SYSTEM',
  show: 'SHOW',
  readReplicationSlot: 'READ_REPLICATION_SLOT',
  createReplicationSlot: 'CREATE_REPLICATION_SLOT',
  alterReplicationSlot: 'ALTER_REPLICATION_SLOT',
  dropReplicationSlot: 'DROP_REPLICATION_SLOT',
  timelineHistory: 'TIMELINE_HISTORY',
  startPhysical: 'START_REPLICATION',
  startLogical: 'START_REPLICATION',
  baseBackup: 'BASE_BACKUP',
  uploadManifest: 'UPLOAD_MANIFEST',
};

export interface ParsedCommand {
  readonly command: ReplicationCommand;
  readonly notices: readonly WireError[];
}

/**
 * Undefined when the text is SQL: its first token is no command's keyword of that major.
 *
 * @throws WireError 42601 where the server reports a syntax error.
 */
export function parseReplicationCommand(text: string, major: number): ParsedCommand | undefined {
  const parser = new CommandParser(text, major);
  if (!parser.atCommand()) return undefined;
  return { command: parser.command(), notices: parser.notices };
}

const commandKeywords = new Set(Object.values(commandNames));

const legacySlotOptions: Readonly<Record<string, GenericOption>> = {
  EXPORT_SNAPSHOT: { name: 'snapshot', value: 'export' },
  NOEXPORT_SNAPSHOT: { name: 'snapshot', value: 'nothing' },
  USE_SNAPSHOT: { name: 'snapshot', value: 'use' },
  RESERVE_WAL: { name: 'reserve_wal', value: null },
  TWO_PHASE: { name: 'two_phase', value: null },
};

function syntaxError(message = 'syntax error'): WireError {
  return new WireError({ code: '42601', message });
}

/** Recursive descent with one token of look-ahead. */
class CommandParser {
  readonly #lexer: ReplicationLexer;
  #token: Token;

  constructor(
    text: string,
    private readonly major: number,
  ) {
    this.#lexer = new ReplicationLexer(text, major);
    this.#token = this.#lexer.next();
  }

  get notices(): readonly WireError[] {
    return this.#lexer.notices;
  }

  atCommand(): boolean {
    return this.#token.kind === 'keyword' && commandKeywords.has(this.#token.text);
  }

  command(): ReplicationCommand {
    const command = this.#oneOf(this.#takeKeyword());
    this.#acceptCharacter(';');
    if (this.#token.kind !== 'end') throw syntaxError();
    return command;
  }

  #oneOf(keyword: string): ReplicationCommand {
    switch (keyword) {
      case 'IDENTIFY_SYSTEM':
        return { kind: 'identifySystem' };
      case 'SHOW':
        return { kind: 'show', name: this.#dottedName() };
      case 'READ_REPLICATION_SLOT':
        return { kind: 'readReplicationSlot', slot: this.#dottedName() };
      case 'CREATE_REPLICATION_SLOT':
        return this.#createSlot();
      case 'ALTER_REPLICATION_SLOT':
        return { kind: 'alterReplicationSlot', slot: this.#identifier(), options: this.#genericOptions() };
      case 'DROP_REPLICATION_SLOT':
        return { kind: 'dropReplicationSlot', slot: this.#identifier(), wait: this.#acceptKeyword('WAIT') };
      case 'TIMELINE_HISTORY':
        return { kind: 'timelineHistory', timeline: this.#timeline() };
      case 'START_REPLICATION':
        return this.#startReplication();
      case 'BASE_BACKUP':
        this.#baseBackupOptions();
        return { kind: 'baseBackup' };
      case 'UPLOAD_MANIFEST':
        return { kind: 'uploadManifest' };
      default:
        throw syntaxError();
    }
  }

  #createSlot(): ReplicationCommand {
    const slot = this.#identifier();
    const temporary = this.#acceptKeyword('TEMPORARY');
    let plugin: string | null = null;
    if (!this.#acceptKeyword('PHYSICAL')) {
      this.#expectKeyword('LOGICAL');
      plugin = this.#identifier();
    }
    const options = this.major >= 15 && this.#atCharacter('(') ? this.#genericOptions() : this.#legacySlotOptions();
    return { kind: 'createReplicationSlot', slot, temporary, plugin, options };
  }

  #legacySlotOptions(): GenericOption[] {
    const options: GenericOption[] = [];
    for (;;) {
      const option = this.#token.kind === 'keyword' ? legacySlotOptions[this.#token.text] : undefined;
      if (!option) return options;
      options.push(option);
      this.#advance();
    }
  }

  #startReplication(): ReplicationCommand {
    const slot = this.#acceptKeyword('SLOT') ? this.#identifier() : null;
    if (slot !== null && this.#acceptKeyword('LOGICAL')) {
      const startLsn = this.#lsn();
      const options = this.#atCharacter('(') ? this.#list(() => this.#pluginOption()) : [];
      return { kind: 'startLogical', slot, startLsn, options };
    }
    this.#acceptKeyword('PHYSICAL');
    const startLsn = this.#lsn();
    const timeline = this.#acceptKeyword('TIMELINE') ? this.#timeline() : 0;
    return { kind: 'startPhysical', slot, startLsn, timeline };
  }

  #pluginOption(): PluginOption {
    return { name: this.#identifier(), value: this.#acceptString() };
  }

  #genericOptions(): GenericOption[] {
    return this.#list(() => this.#genericOption());
  }

  #genericOption(): GenericOption {
    const name = this.#token.kind === 'keyword' ? this.#takeKeyword().toLowerCase() : this.#identifier();
    const token = this.#token;
    if (token.kind === 'integer') {
      this.#advance();
      return { name, value: token.value };
    }
    if (token.kind === 'identifier') return { name, value: this.#identifier() };
    return { name, value: this.#acceptString() };
  }

  /** The server refuses unknown options and values only when it starts the backup, which this one never does. */
  #baseBackupOptions(): void {
    if (this.major >= 15) {
      if (this.#atCharacter('(')) this.#genericOptions();
      return;
    }
    for (;;) {
      if (
        this.#acceptKeyword('LABEL') ||
        this.#acceptKeyword('MANIFEST') ||
        this.#acceptKeyword('MANIFEST_CHECKSUMS')
      ) {
        if (this.#acceptString() === null) throw syntaxError();
      } else if (this.#acceptKeyword('MAX_RATE')) {
        if (this.#token.kind !== 'integer') throw syntaxError();
        this.#advance();
      } else if (
        !['FAST', 'NOWAIT', 'PROGRESS', 'WAL', 'TABLESPACE_MAP', 'NOVERIFY_CHECKSUMS'].some((word) =>
          this.#acceptKeyword(word),
        )
      ) {
        return;
      }
    }
  }

  #list<T>(item: () => T): T[] {
    this.#expectCharacter('(');
    const items = [item()];
    while (this.#acceptCharacter(',')) items.push(item());
    this.#expectCharacter(')');
    return items;
  }

  #dottedName(): string {
    let name = this.#identifier();
    while (this.#acceptCharacter('.')) name += `.${this.#identifier()}`;
    return name;
  }

  #timeline(): number {
    const token = this.#token;
    if (token.kind !== 'integer') throw syntaxError();
    if (token.value === 0) throw syntaxError('invalid timeline 0');
    this.#advance();
    return token.value;
  }

  #lsn(): bigint {
    const token = this.#token;
    if (token.kind !== 'lsn') throw syntaxError();
    this.#advance();
    return token.value;
  }

  #identifier(): string {
    const token = this.#token;
    if (token.kind !== 'identifier') throw syntaxError();
    this.#advance();
    return token.text;
  }

  #acceptString(): string | null {
    const token = this.#token;
    if (token.kind !== 'string') return null;
    this.#advance();
    return token.text;
  }

  #takeKeyword(): string {
    const token = this.#token;
    if (token.kind !== 'keyword') throw syntaxError();
    this.#advance();
    return token.text;
  }

  #acceptKeyword(keyword: string): boolean {
    const found = this.#token.kind === 'keyword' && this.#token.text === keyword;
    if (found) this.#advance();
    return found;
  }

  #expectKeyword(keyword: string): void {
    if (!this.#acceptKeyword(keyword)) throw syntaxError();
  }

  #atCharacter(character: string): boolean {
    return this.#token.kind === 'character' && this.#token.text === character;
  }

  #acceptCharacter(character: string): boolean {
    const found = this.#atCharacter(character);
    if (found) this.#advance();
    return found;
  }

  #expectCharacter(character: string): void {
    if (!this.#acceptCharacter(character)) throw syntaxError();
  }

  #advance(): void {
    this.#token = this.#lexer.next();
  }
}

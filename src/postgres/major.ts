/**
 * What differs by server major, as plain data (manual's release notes; observed on 10.23, 11.22, 12.22, 13.23, 14.23,
 * 15.18, 16.14, 17.10, 18.4; 19 and 20 follow source). Error texts are not here: they stand where the errors are raised.
 */

export const oldestMajor = 10;
export const newestMajor = 20;

export interface MajorFacts {
  readonly major: number;
  /** server_version where the scenario gives no minor. */
  readonly version: string;
  /** Highest pgoutput proto_version. */
  readonly maxProtoVersion: 1 | 2 | 3 | 4;
  /** Default of extra_float_digits. */
  readonly extraFloatDigits: 0 | 1;
  /** Default of password_encryption. */
  readonly passwordEncryption: 'md5' | 'scram-sha-256';
  /** LSNs with eight digits after the slash: `0/0150000A`. */
  readonly paddedLsn: boolean;
  /** CommandComplete of replication commands: 'SELECT' for all, or the command's name. */
  readonly commandTags: 'SELECT' | 'command name';
  /** Type of IDENTIFY_SYSTEM's timeline column. */
  readonly timelineType: 'int4' | 'int8';
  /** ParameterStatus messages of a new connection, in the order sent. */
  readonly parameterStatus: readonly string[];
  /** pgoutput options. */
  readonly optionBinary: boolean;
  readonly optionMessages: boolean;
  readonly optionStreaming: boolean;
  readonly optionTwoPhase: boolean;
  readonly optionStreamingParallel: boolean;
  readonly optionOrigin: boolean;
  readonly truncateMessages: boolean;
  readonly partitionedTables: boolean;
  readonly columnListsAndRowFilters: boolean;
  readonly skipsEmptyTransactions: boolean;
  readonly generatedColumnsPublished: boolean;
  readonly virtualGeneratedColumns: boolean;
}

const parameters10 = [
  ...['application_name', 'client_encoding', 'DateStyle', 'integer_datetimes', 'IntervalStyle', 'is_superuser'],
  ...['server_encoding', 'server_version', 'session_authorization', 'standard_conforming_strings', 'TimeZone'],
];
const parameters14 = [
  ...['application_name', 'client_encoding', 'DateStyle', 'default_transaction_read_only', 'in_hot_standby'],
  ...[
    'integer_datetimes',
    'IntervalStyle',
    'is_superuser',
    'server_encoding',
    'server_version',
    'session_authorization',
  ],
  ...['standard_conforming_strings', 'TimeZone'],
];
const parameters16 = [
  ...['in_hot_standby', 'integer_datetimes', 'TimeZone', 'IntervalStyle', 'is_superuser', 'application_name'],
  ...['default_transaction_read_only', 'scram_iterations', 'DateStyle', 'standard_conforming_strings'],
  ...['session_authorization', 'client_encoding', 'server_version', 'server_encoding'],
];
const parameters18 = parameters16.flatMap((name) => (name === 'IntervalStyle' ? [name, 'search_path'] : [name]));

const versions = ['10.23', '11.22', '12.22', '13.23', '14.23', '15.18', '16.14', '17.10', '18.4', '19.0', '20devel'];

function describe(major: number): MajorFacts {
  return {
    major,
    version: versions[major - oldestMajor]!,
    maxProtoVersion: major >= 16 ? 4 : major >= 15 ? 3 : major >= 14 ? 2 : 1,
    extraFloatDigits: major >= 12 ? 1 : 0,
    passwordEncryption: major >= 14 ? 'scram-sha-256' : 'md5',
    paddedLsn: major >= 19,
    commandTags: major >= 13 ? 'command name' : 'SELECT',
    timelineType: major >= 16 ? 'int8' : 'int4',
    parameterStatus:
      major >= 18 ? parameters18 : major >= 16 ? parameters16 : major >= 14 ? parameters14 : parameters10,
    optionBinary: major >= 14,
    optionMessages: major >= 14,
    optionStreaming: major >= 14,
    optionTwoPhase: major >= 15,
    optionStreamingParallel: major >= 16,
    optionOrigin: major >= 16,
    truncateMessages: major >= 11,
    partitionedTables: major >= 13,
    columnListsAndRowFilters: major >= 15,
    skipsEmptyTransactions: major >= 15,
    generatedColumnsPublished: major >= 18,
    virtualGeneratedColumns: major >= 18,
  };
}

const facts = versions.map((_, i) => describe(oldestMajor + i));

/** @param major 10 to 20 */
export function majorFacts(major: number): MajorFacts {
  const found = facts[major - oldestMajor];
  if (found === undefined) throw new RangeError(`server major ${major}: expected ${oldestMajor} to ${newestMajor}`);
  return found;
}

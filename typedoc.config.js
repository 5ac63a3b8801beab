/** The reference of the package's four entry points, from their docstrings. A public thing without one is a mistake. */

/** Types that others are made of: their names say nothing to a user, and their members are shown where they are used. */
const parts = [
  ...[
    'Alias',
    'At',
    'Before',
    'ByKey',
    'ByNothing',
    'ByOldRow',
    'ByRowBefore',
    'Check',
    'ConnectionAnswer',
    'DataType',
  ],
  ...[
    'EventBase',
    'FactsAt',
    'FaultStep',
    'JsonSchema',
    'Kinds',
    'Listener',
    'LoadOptions',
    'AnyListener',
    'MatcherContext',
  ],
  ...[
    'MayBeLeftOut',
    'NotNull',
    'OneOf',
    'OnlyWith',
    'ServerClock',
    'SourcePosition',
    'Step',
    'TextOf',
    'Told',
    'Typname',
  ],
  ...['ValueOf', 'ValueOfType', 'milliseconds'],
];

/** What a user passes on without looking into it. */
const opaque = ['Database', 'PgType', 'RowFilter', 'Source', 'SqlOutput', 'Timeline'];

/** @type {import('typedoc').TypeDocOptions} */
export default {
  entryPoints: ['src/index.ts', 'src/pgoutput/index.ts', 'src/scenario-file.ts', 'src/mock/jest.ts'],
  tsconfig: 'tsconfig.esm.json',
  out: 'docs/api',
  readme: 'none',
  includeVersion: true,
  excludeExternals: true,
  excludeInternal: true,
  excludePrivate: true,
  disableSources: true,
  skipErrorChecking: true, // `npm run typecheck` does
  intentionallyNotExported: [...parts, ...opaque],
  requiredToBeDocumented: ['Function', 'Class', 'Interface', 'TypeAlias', 'Variable', 'Method', 'Accessor'],
  validation: { notExported: true, invalidLink: true, invalidPath: true, rewrittenLink: true, notDocumented: true },
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
};

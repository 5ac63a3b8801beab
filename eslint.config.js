import tseslint from 'typescript-eslint';

/**
 * The layers of src/, lowest first: a folder imports only from folders above it in this list.
 * The pure ones (up to `explain`) import no node: module, so that they run in a browser.
 */
const layers = [
  ...['values', 'bytes', 'postgres', 'pgoutput', 'timeline', 'database', 'scenario', 'explain'],
  ...['protocol', 'sql', 'walsender', 'verdict', 'server', 'live', 'control', 'client', 'mock', 'cli'],
];
const pure = layers.slice(0, layers.indexOf('explain') + 1);

/** For one layer: the folders that it may not import from, and node: modules where it is pure. */
function layerRule(layer) {
  const above = layers.slice(layers.indexOf(layer) + 1);
  const patterns = above.map((other) => ({
    group: [`**/${other}/**`, `../${other}`],
    message: `${layer} may not import from ${other}: layers import one way (ARCHITECTURE.md).`,
  }));
  if (pure.includes(layer)) {
    patterns.push({ group: ['node:*', 'fs', 'net', 'path'], message: `${layer} runs in a browser: no node: modules.` });
  }
  return {
    files: [`src/${layer}/**/*.ts`],
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
}

export default tseslint.config(
  { ignores: ['dist', 'coverage', '**/node_modules', 'test/package/fixtures', 'docs'] },
  ...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-non-null-assertion': 'off', // indexes checked by the loop around them
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/unified-signatures': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      eqeqeq: ['error', 'always'],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        { selector: 'TSEnumDeclaration', message: 'No enums: use a union of strings.' },
      ],
    },
  },
  ...layers.map(layerRule),
);

import base from '../../jest.config.js';

/** @type {import('jest').Config} All that real servers sent, of which `npm test` takes a part. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/decompile', '<rootDir>/test/golden'],
  testMatch: ['**/decompile/*.test.ts', '**/golden/payloads.test.ts'],
  globals: { wholeCorpus: true },
};

import base from '../../jest.config.js';

/** @type {import('jest').Config} All that is decompiled and encoded again, of which `npm test` takes a part. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/decompile'],
  globals: { wholeCorpus: true },
};

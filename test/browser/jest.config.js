import base from '../../jest.config.js';

/** @type {import('jest').Config} Opens pages that the built command line wrote, in Debian's chromium. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/browser'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 60_000,
};

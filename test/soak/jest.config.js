import base from '../../jest.config.js';

/** @type {import('jest').Config} What only many runs show. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/soak'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 300_000,
};

import base from '../../jest.config.js';

/** @type {import('jest').Config} Packs the built package and installs it into projects as its users have them. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/package'],
  testPathIgnorePatterns: ['/node_modules/', '/test/package/fixtures/'],
  modulePathIgnorePatterns: ['/test/package/fixtures/'],
  testTimeout: 180_000,
};

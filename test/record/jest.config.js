import base from '../../jest.config.js';

/** @type {import('jest').Config} Records from real servers, which it installs when it first needs them. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/record'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 90_000,
};

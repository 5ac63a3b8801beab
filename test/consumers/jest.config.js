import base from '../../jest.config.js';

/** @type {import('jest').Config} Starts the built command line and programs that others wrote. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/consumers'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 90_000,
};

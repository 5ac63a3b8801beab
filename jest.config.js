/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  // Jest leaves one processor unused; of two that is half.
  maxWorkers: '100%',
  // A busy machine is no failure.
  testTimeout: 20_000,
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // Tiers that start other programs (real servers, consumers, npm) have configurations of their own.
  testPathIgnorePatterns: ['/node_modules/', '/test/(oracle|consumers|package|browser|soak|record)/'],
  transform: {
    '\\.c?ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^(\\.{1,2}/.*lazy)\\.cjs$': '$1.cts',
    // The examples import the package by its name, as its users do.
    '^fake-walsender$': '<rootDir>/src/index.ts',
    '^fake-walsender/jest$': '<rootDir>/src/mock/jest.ts',
  },
};

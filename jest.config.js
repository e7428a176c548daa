/**
 * Suites: `unit` is pure, `int` starts real servers, `e2e` runs the built product; `long` does either, with
 * faults, random sequences or large documents. `npm test` runs the first three.
 */
const shared = {
  testEnvironment: 'node',
  transform: {
    '^.+\\.[tj]s$': [
      '@swc/jest',
      {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        module: { type: 'commonjs', lazy: true },
      },
    ],
  },
  // Transformed: packages that are ES modules only, and the MongoDB driver's one dynamic import, which jest refuses
  // (the server then answers "Missing required sub-document 'driver'").
  transformIgnorePatterns: [
    '/node_modules/(?!(@renovatebot|@secvisogram|@sparticuz|jose|oauth4webapi|openid-client|uuid)/|mongodb/lib/runtime_adapters)',
  ],
  moduleNameMapper: { '^@bomtrail/([a-z-]+)$': '<rootDir>/packages/$1/src/index.ts' },
  modulePathIgnorePatterns: ['/dist/'],
};

module.exports = {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      roots: ['packages', 'services', 'e2e', 'bench', 'chaos', 'delivery'].map(
        (one) => `<rootDir>/${one}`,
      ),
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: ['\\.(int|e2e|long)\\.test\\.ts$', '/node_modules/'],
      setupFilesAfterEnv: ['<rootDir>/packages/testkit/jest/timeout.js'],
    },
    {
      ...shared,
      displayName: 'int',
      roots: ['<rootDir>/packages', '<rootDir>/services'],
      testMatch: ['**/*.int.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/packages/testkit/jest/timeout.js'],
      globalSetup: '<rootDir>/packages/testkit/jest/global-setup.js',
      globalTeardown: '<rootDir>/packages/testkit/jest/global-teardown.js',
    },
    {
      ...shared,
      displayName: 'e2e',
      roots: ['<rootDir>/e2e'],
      testMatch: ['**/*.e2e.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/packages/testkit/jest/timeout.js'],
    },
    {
      ...shared,
      displayName: 'long',
      roots: ['packages', 'services', 'e2e'].map((one) => `<rootDir>/${one}`),
      testMatch: ['**/*.long.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/packages/testkit/jest/timeout.js'],
      globalSetup: '<rootDir>/packages/testkit/jest/global-setup.js',
      globalTeardown: '<rootDir>/packages/testkit/jest/global-teardown.js',
    },
  ],
};

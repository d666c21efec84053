import { join } from 'node:path'

// As the product is built: in development, GraphQL.js checks again what it is given, and tests take longer.
process.env.NODE_ENV = 'production'
// Apollo's gateway, which answers are compared with, reports its use otherwise, and asks for a cloud's metadata.
process.env.APOLLO_TELEMETRY_DISABLED = '1'
// Processes that tests start do not compile again what others have compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/assay-tests')

/** As tsconfig.json says. Compiled file by file; the product is bundled, see build.js. */
const swc = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, useDefineForClassFields: true },
    experimental: { keepImportAttributes: true },
  },
  module: { type: 'es6' },
  sourceMaps: true,
  swcrc: false,
}

/** Tests of one kind share a project; `npm test -- --selectProjects unit` runs one. */
export const project = (displayName, testMatch, extra = {}) => ({
  displayName,
  testMatch: testMatch.map((pattern) => `<rootDir>/test/${pattern}`),
  testEnvironment: '<rootDir>/test/support/environment.js',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  ...extra,
})

/** One PostgreSQL for all tests of the run: see test/support/database.ts. */
export const withDatabase = {
  globalSetup: '<rootDir>/test/support/database-setup.ts',
  globalTeardown: '<rootDir>/test/support/database-teardown.ts',
}

/** The same files for each way to run the product. */
export const endToEnd = (mode, extra = {}) =>
  project(`e2e ${mode}`, ['e2e/**/*.test.ts'], {
    ...withDatabase,
    ...extra,
    globals: { assayMode: mode },
  })

/** Tests mostly wait for processes, databases and leases, so four at a time keep two cores busy. Module loading leaks in workers. */
export const workers = {
  maxWorkers: 4,
  workerIdleMemoryLimit: '1GB',
}

/** Half a second, the default, is too short on a busy machine: Jest then speaks of a leak where there is none. */
export const workerGracefulExitTimeout = 10_000

/** Ends tests that hang. Tests share a slow machine, so none sets a shorter limit of its own. */
export const testTimeout = 300_000

export default {
  ...workers,
  workerGracefulExitTimeout,
  testTimeout,
  projects: [
    project('unit', ['unit/**/*.test.ts']),
    project('integration', ['integration/**/*.test.ts'], withDatabase),
    project('conformance', ['conformance/**/*.test.ts'], withDatabase),
    endToEnd('in-process'), // `npm run test:system` runs the same files over separate processes
  ],
  testSequencer: '<rootDir>/test/support/longest-first.js',
}

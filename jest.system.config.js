import { project, withDatabase } from './jest.config.js'

/** The tests that need Debian programs: `npm run test:system`. */
export default {
  maxWorkers: 1, // many of these tests judge times, and have the machine for themselves
  testTimeout: 30_000,
  projects: [
    project('system', ['system/**/*.test.ts'], {
      ...withDatabase,
      globalSetup: '<rootDir>/test/system/_support/setup.ts',
    }),
    // What docker-compose.yml says, without Docker.
    project('compose', ['e2e-compose/**/*.test.ts']),
    // What README.md says, typed into a fresh clone.
    project('readme', ['readme/**/*.test.ts']),
  ],
}

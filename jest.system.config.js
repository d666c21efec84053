import { project, testTimeout, withDatabase } from './jest.config.js'

/** They judge times, and have the machine for themselves. */
const TIMED = ['attacks/stalls*', 'attacks/revoked-streams', 'attacks/sockets', 'web/*']

const system = (names, extra) =>
  project(
    'system',
    names.map((name) => `system/${name}.test.ts`),
    { ...withDatabase, globalSetup: '<rootDir>/test/system/_support/setup.ts', ...extra },
  )

const oneAtATime = { runner: '<rootDir>/test/system/_support/one-at-a-time.js' }

/** The tests that need Debian programs: `npm run test:system`. */
export default {
  maxWorkers: 3, // they mostly wait for processes, databases and browsers
  testTimeout,
  projects: [
    system(['**/*'], {
      testPathIgnorePatterns: TIMED.map((name) => `/test/system/${name.replace('*', '[^/]*')}[.]`),
    }),
    system(TIMED, oneAtATime),
    // What docker-compose.yml says, without Docker.
    project('compose', ['e2e-compose/**/*.test.ts']),
    // What README.md says, typed into a fresh clone.
    project('readme', ['readme/**/*.test.ts'], oneAtATime),
  ],
}

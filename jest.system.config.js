import {
  endToEnd,
  project,
  testTimeout,
  withDatabase,
  workerGracefulExitTimeout,
} from './jest.config.js'

/** They judge times, and have the machine for themselves. */
const TIMED = ['attacks/stalls*', 'attacks/revoked-streams', 'attacks/sockets', 'web/scale']

/** The run fails at once where a program is missing. */
const withPrograms = { ...withDatabase, globalSetup: '<rootDir>/test/support/system/setup.ts' }

const system = (names, extra) =>
  project(
    'system',
    names.map((name) => `system/${name}.test.ts`),
    { ...withPrograms, ...extra },
  )

/** `npm run test:system`: tests that need Debian programs, and the product in several processes. */
export default {
  maxWorkers: 3, // they mostly wait for processes, databases and browsers
  workerGracefulExitTimeout,
  testTimeout,
  projects: [
    system(['**/*'], {
      testPathIgnorePatterns: TIMED.map((name) => `/test/system/${name.replace('*', '[^/]*')}[.]`),
    }),
    endToEnd('distributed', withPrograms),
    system(TIMED, { runner: '<rootDir>/test/support/system/one-at-a-time.js' }),
    // Follows docker-compose.yml, without Docker.
    project('compose', ['e2e-compose/**/*.test.ts']),
    // Types the commands of README.md into a fresh clone.
    project('readme', ['readme/**/*.test.ts']),
  ],
  testSequencer: '<rootDir>/test/support/longest-first.js',
}

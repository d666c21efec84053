import { endToEnd, project, testTimeout, withDatabase } from './jest.config.js'

/** They judge times, and have the machine for themselves. */
const TIMED = ['attacks/stalls*', 'attacks/revoked-streams', 'attacks/sockets', 'web/*']

const checked = { ...withDatabase, globalSetup: '<rootDir>/test/system/_support/setup.ts' }

const system = (names, extra) =>
  project(
    'system',
    names.map((name) => `system/${name}.test.ts`),
    { ...checked, ...extra },
  )

const oneAtATime = { runner: '<rootDir>/test/system/_support/one-at-a-time.js' }

/** The tests that need Debian programs, and those of the product in several processes: `npm run test:system`. */
export default {
  maxWorkers: 3, // they mostly wait for processes, databases and browsers
  testTimeout,
  projects: [
    system(['**/*'], {
      testPathIgnorePatterns: TIMED.map((name) => `/test/system/${name.replace('*', '[^/]*')}[.]`),
    }),
    endToEnd('distributed', checked),
    system(TIMED, oneAtATime),
    // What docker-compose.yml says, without Docker.
    project('compose', ['e2e-compose/**/*.test.ts']),
    // What README.md says, typed into a fresh clone.
    project('readme', ['readme/**/*.test.ts'], oneAtATime),
  ],
}

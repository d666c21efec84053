import { project } from './jest.config.js'

/** Types the commands of README.md into a fresh clone: `npm run test:readme`. */
export default { projects: [project('readme', ['readme/**/*.test.ts'])] }

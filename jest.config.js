/** Tests of one kind share a project; `npm test -- --selectProjects unit` runs one. */
const project = (displayName, testMatch, extra = {}) => ({
  displayName,
  testMatch: testMatch.map((pattern) => `<rootDir>/test/${pattern}`),
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  ...extra,
})

export default {
  projects: [project('unit', ['unit/**/*.test.ts'])],
}

const MODES = ['e2e in-process', 'e2e distributed']

/** Fails the run when the end-to-end projects ran different numbers of tests, unless only one was selected. */
export default class SameTestsInBothModes {
  #counts = new Map()

  onTestResult({ context }, { testResults }) {
    const project = context.config.displayName?.name
    if (!MODES.includes(project)) return
    const ran = testResults.filter(({ status }) => status === 'passed' || status === 'failed')
    this.#counts.set(project, (this.#counts.get(project) ?? 0) + ran.length)
  }

  onRunComplete() {
    const error = this.getLastError()
    if (error) process.stderr.write(`${error.message}\n`)
  }

  /** Jest fails the run for it, without a word. */
  getLastError() {
    const counts = MODES.map((mode) => this.#counts.get(mode))
    if (counts.includes(undefined) || counts[0] === counts[1]) return undefined
    const summary = MODES.map((mode) => `${mode} ${this.#counts.get(mode)}`).join(', ')
    return new Error(`The two modes ran different numbers of tests: ${summary}`)
  }
}

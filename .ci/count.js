// Adds up what .ci/run left in a folder: checks, and Jest's results with the exit code of each run.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** Lines of a failure that the sum quotes; the rest is in the output of Jest. */
const QUOTED_LINES = 12

const [folder = ''] = process.argv.slice(2)
const read = (name) => readFileSync(join(folder, name), 'utf8')

const lines = read('checks').trim().split('\n')
let passed = lines.filter((line) => line.startsWith('ok ')).length
let failed = lines.length - passed
console.log(`\n== Sum\n${lines.join('\n')}`)

/** Tests of test/e2e in each run. */
const endToEnd = []
for (const file of readdirSync(folder).filter((name) => name.endsWith('.status'))) {
  const run = countOf(file.replace('.status', '.json'))
  // A run may fail as a whole although no test of it did.
  if (Number(read(file)) !== 0 && run.failed === 0) run.failed = 1
  console.log(`tests ${file.replace('.status', '')}: ${run.passed} passed, ${run.failed} failed`)
  for (const { name, message } of run.faults) {
    console.log(`  not ok ${name}`)
    for (const line of message) console.log(`    | ${line}`)
  }
  endToEnd.push(run.endToEnd)
  passed += run.passed
  failed += run.failed
}

if (new Set(endToEnd).size > 1) {
  console.log(
    `not ok The same end-to-end tests in one process and in several: ${endToEnd.join(' and ')}`,
  )
  failed += 1
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** A skipped test counts as failed, one that is still to be written (`todo`) as nothing. */
function countOf(name) {
  try {
    const jest = JSON.parse(read(name))
    return {
      passed: jest.numPassedTests,
      failed: jest.numFailedTests + jest.numPendingTests + jest.numRuntimeErrorTestSuites,
      faults: jest.testResults.flatMap(faultsOf),
      endToEnd: jest.testResults
        .filter((file) => file.name.includes('/test/e2e/'))
        .flatMap((file) => file.assertionResults).length,
    }
  } catch {
    return {
      passed: 0,
      failed: 1,
      faults: [{ name: 'Jest wrote no results', message: [] }],
      endToEnd: 0,
    }
  }
}

function faultsOf({ name, status, message, assertionResults }) {
  const faults = assertionResults.filter((test) => /^(failed|pending)$/.test(test.status))
  if (status === 'failed' && faults.length === 0)
    return [{ name: `${name} (does not run)`, message: beginningOf(message) }]
  return faults.map((test) => ({
    name: `${name} › ${test.fullName} (${test.status})`,
    message: beginningOf(test.failureMessages.join('\n')),
  }))
}

function beginningOf(text) {
  const lines = stripVTControlCharacters(text).split('\n')
  return lines.filter((line) => line.trim()).slice(0, QUOTED_LINES)
}

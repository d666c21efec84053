import { checkAgainst } from '../../conformance/row.ts'
import { type Assay, type AssayOptions, startAssay } from '../assay.ts'
import { eventually } from '../eventually.ts'

let running: Assay | undefined

/** The product of the test file that runs. */
export function assay(): Assay {
  if (!running) throw new Error('The product did not start')
  return running
}

/** Starts one product for all tests of a file. A test fails when a run of a component outlives it; between runs a process may be kept. */
export function useAssay(options: AssayOptions = {}): void {
  beforeAll(async () => {
    running = await startAssay(options)
    checkAgainst(running.url)
  })
  afterEach(() => eventually(async () => expect((await running?.sandboxes()) ?? []).toEqual([])))
  afterAll(() => running?.stop())
}

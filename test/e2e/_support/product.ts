import { type Assay, type AssayOptions, startAssay } from '../../_support/assay.ts'
import { survivorsOf } from '../../_support/process-tree.ts'
import { checkAgainst } from '../../conformance/row.ts'

let running: Assay | undefined

/** The product of the test file that runs. */
export function assay(): Assay {
  if (!running) throw new Error('The product did not start')
  return running
}

/** Starts one product for all tests of a file. A test fails when a component's process outlives it. */
export function useAssay(options: AssayOptions = {}): void {
  beforeAll(async () => {
    running = await startAssay(options)
    checkAgainst(running.url)
  }, 90_000)
  afterEach(async () => {
    expect(await survivorsOf((await running?.sandboxes()) ?? [])).toEqual([])
  })
  afterAll(() => running?.stop(), 60_000)
}

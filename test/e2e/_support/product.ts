import { type Assay, type AssayOptions, startAssay } from '../../_support/assay.ts'
import { survivorsOf } from '../../_support/process-tree.ts'
import { checkAgainst } from '../../conformance/row.ts'

/** Starts one product for all tests of a file. A test fails when a component's process outlives it. */
export function useAssay(options: AssayOptions = {}): () => Assay {
  let assay: Assay | undefined
  beforeAll(async () => {
    assay = await startAssay(options)
    checkAgainst(assay.url)
  }, 90_000)
  afterEach(async () => {
    expect(await survivorsOf((await assay?.sandboxes()) ?? [])).toEqual([])
  })
  afterAll(() => assay?.stop(), 60_000)
  return () => {
    if (!assay) throw new Error('The product did not start')
    return assay
  }
}

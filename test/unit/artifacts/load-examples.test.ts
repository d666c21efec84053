import { AppError } from '../../../formats/errors.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import type { ArtifactService } from '../../../subgraphs/test-execution/artifacts/artifact.service.ts'
import { loadExamples } from '../../../subgraphs/test-execution/artifacts/load-examples.ts'

const slow = new AppError('BAD_USER_INPUT', 'The evaluation takes longer than 1000 ms')

/** @returns tries, where each of the faults is met once */
async function loading(...faults: Error[]): Promise<number> {
  let tries = 0
  const createAll = async () => {
    const fault = faults[tries++]
    if (fault) throw fault
  }
  const artifacts = { createAll } as unknown as ArtifactService // all that is called
  await loadExamples(artifacts, { info() {} } as unknown as Logger) // all that is called
  return tries
}

test('a start of a busy machine, on which the check of the examples takes too long, tries again', async () => {
  expect(await loading(slow, slow)).toBe(3)
  await expect(loading(...Array<Error>(5).fill(slow))).rejects.toBe(slow)
})

test('examples that another process has stored meanwhile are no fault', async () => {
  expect(await loading(slow, new AppError('CONFLICT', 'taken'))).toBe(2)
})

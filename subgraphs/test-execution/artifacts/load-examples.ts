import { fileURLToPath } from 'node:url'
import { readArtifactFiles } from '../../../formats/artifact-files/read.ts'
import { AppError } from '../../../formats/errors.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import type { ArtifactInput, ArtifactService } from './artifact.service.ts'
import { KINDS } from './kinds.ts'

/** One folder an example, in the format of artifact files. */
const FOLDER = new URL('../../../examples/artifacts/', import.meta.url)

/** A first start of a busy machine checks them in a process that is new to it. */
const TRIES = 5

/** Stores the sample artifacts that come with the product, all or none. */
export async function loadExamples(artifacts: ArtifactService, log: Logger): Promise<void> {
  const files = await readArtifactFiles([fileURLToPath(FOLDER)])
  const inputs = KINDS.flatMap(
    (kind) =>
      files
        .filter(({ artifact }) => artifact.kind === kind.name)
        .map(({ artifact: { kind: _, ...input } }) => ({ kind, input: input as ArtifactInput })), // checked when it is stored
  )
  await stored(() => artifacts.createAll(inputs))
  log.info({ examples: inputs.map(({ input }) => input.id) }, 'Loaded the examples')
}

/** Our examples are valid, so a refusal means a busy machine, on which checking them takes longer than a caller may. */
async function stored(createAll: () => Promise<unknown>): Promise<void> {
  for (let triesLeft = TRIES; ; triesLeft--)
    try {
      await createAll()
      return
    } catch (error) {
      // Another process that starts on the same empty store loads them, too.
      if (error instanceof AppError && error.code === 'CONFLICT') return
      if (triesLeft === 1) throw error
    }
}

import { fileURLToPath } from 'node:url'
import { readArtifactFiles } from '../../../formats/artifact-files/read.ts'
import { AppError } from '../../../formats/errors.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import type { ArtifactInput, ArtifactService } from './artifact.service.ts'
import { KINDS } from './kinds.ts'

/** One folder an example, in the format of artifact files. */
const FOLDER = new URL('../../../examples/artifacts/', import.meta.url)

/** Stores the sample artifacts that come with the product, all or none. */
export async function loadExamples(artifacts: ArtifactService, log: Logger): Promise<void> {
  const files = await readArtifactFiles([fileURLToPath(FOLDER)])
  const inputs = KINDS.flatMap(
    (kind) =>
      files
        .filter(({ artifact }) => artifact.kind === kind.name)
        .map(({ artifact: { kind: _, ...input } }) => ({ kind, input: input as ArtifactInput })), // checked when it is stored
  )
  await artifacts.createAll(inputs).catch(ignoreTaken)
  log.info({ examples: inputs.map(({ input }) => input.id) }, 'Loaded the examples')
}

/** Another process that starts on the same empty store loads them, too. */
function ignoreTaken(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error
}

import { readdir, readFile } from 'node:fs/promises'
import { AppError } from '../../../schema/errors.ts'
import type { Logger } from '../../shared/logger.ts'
import type { ArtifactInput, ArtifactService } from './artifact.service.ts'
import { KINDS } from './kinds.ts'

/** One folder an example, with a file for each artifact: `<kind>.json`, and the source of a component beside it. */
const FOLDER = new URL('../../../examples/artifacts/', import.meta.url)

/** Stores the sample artifacts that come with the product, all or none. */
export async function loadExamples(artifacts: ArtifactService, log: Logger): Promise<void> {
  const files = (await readdir(FOLDER, { recursive: true })).sort()
  const inputs = KINDS.flatMap((kind) =>
    files
      .filter((path) => path.endsWith(`/${kind.name}.json`))
      .map(async (file) => ({ kind, input: await read(new URL(file, FOLDER)) })),
  )
  await artifacts.createAll(await Promise.all(inputs)).catch(ignoreTaken)
  log.info({ examples: files.filter((path) => !path.includes('/')) }, 'Loaded the examples')
}

async function read(file: URL): Promise<ArtifactInput> {
  const { source, ...artifact } = JSON.parse(await readFile(file, 'utf8')) as ArtifactInput
  if (typeof source !== 'string') return artifact
  return { ...artifact, sourceCode: await readFile(new URL(source, file), 'utf8') }
}

/** Another process that starts on the same empty store loads them, too. */
function ignoreTaken(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error
}

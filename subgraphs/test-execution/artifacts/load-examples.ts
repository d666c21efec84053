import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../schema/errors.ts'
import type { Logger } from '../../shared/logger.ts'
import type { ArtifactInput, ArtifactService } from './artifact.service.ts'
import { COMPONENT } from './component/component.kind.ts'
import { TESTCASE } from './testcase/testcase.kind.ts'

/** One folder an example: `component.json`, its source beside it, and `testcase.json`. */
const FOLDER = new URL('../../../examples/artifacts/', import.meta.url)

/** Stores the sample artifacts that come with the product. */
export async function loadExamples(artifacts: ArtifactService, log: Logger): Promise<void> {
  const names = (await readdir(FOLDER)).sort()
  for (const name of names) {
    const read = async <T>(file: string) =>
      JSON.parse(await readFile(new URL(join(name, file), FOLDER), 'utf8')) as T
    const { source, ...component } = await read<ArtifactInput & { source: string }>(
      'component.json',
    )
    const sourceCode = await readFile(new URL(join(name, source), FOLDER), 'utf8')
    await artifacts.create(COMPONENT, { ...component, sourceCode }).catch(ignoreTaken)
    await artifacts.create(TESTCASE, await read<ArtifactInput>('testcase.json')).catch(ignoreTaken)
  }
  log.info({ examples: names }, 'Loaded the examples')
}

/** Another process that starts on the same empty store loads them, too. */
function ignoreTaken(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error
}

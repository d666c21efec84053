import { cp, mkdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Copies a data folder that a product has started on before: a start on it takes half of the processor time of a first one.
 * The first caller of a run of Jest makes it; callers that come meanwhile get none, and start on an empty folder.
 *
 * @param to the data folder of the product that starts
 * @param startOnce starts a product on a folder and ends it cleanly
 */
export async function copyStartedData(
  to: string,
  startOnce: (dataDir: string) => Promise<void>,
): Promise<void> {
  const run = process.env.TEST_RUN_FOLDER
  if (!run) return
  const ready = join(run, 'started-data')
  if (!(await exists(ready))) {
    const being = join(run, 'starting-data')
    const isFirst = await mkdir(being).then(
      () => true,
      () => false,
    )
    if (!isFirst) return
    await startOnce(join(being, 'data'))
    await rename(join(being, 'data'), ready)
  }
  await cp(ready, to, { recursive: true, preserveTimestamps: true })
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

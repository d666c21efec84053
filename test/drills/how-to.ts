import { execFile } from 'node:child_process'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { commandBlocks, patternOf } from '../readme/blocks.ts'
import { eventually } from '../support/eventually.ts'
import { checkOut, ROOT } from './check-out.ts'

const run = promisify(execFile)

/** The page whose commands are typed. */
export const PAGE = 'docs/how-to/run-on-one-machine.md'
/** Executions of killed workers run again, and counts of jobs are seconds old. */
const PATIENCE_MS = 60_000

/** Types the commands of the page, in its order, into a copy of the repository. @returns what differs from the page */
export async function followPage(): Promise<string[]> {
  const folder = await checkOut('HEAD')
  const blocks = commandBlocks(await readFile(join(ROOT, PAGE), 'utf8'))
  // Variables of a block are those of the blocks behind it.
  let before = ''
  const type = async (script: string) => {
    const { stdout } = await run('bash', ['-ec', `${before}\n${script}`], { cwd: folder })
    return stdout.trim()
  }
  try {
    await mkdir(join(folder, 'one-machine'), { recursive: true })
    for (const { script, output } of blocks) {
      const seen = await type(script)
      before += `${script.split('\n').filter(isAssignment).join('\n')}\n`
      if (output === null) continue
      const expected = patternOf(output)
      await eventually(async () => {
        const now = expected.test(seen) ? seen : await type(script)
        if (!expected.test(now))
          throw new Error(`${script}\nanswers\n${now}\ninstead of\n${output}`)
      }, PATIENCE_MS)
    }
    return []
  } catch (error) {
    return [(error as Error).message]
  } finally {
    await type('sh deploy/one-machine/run.sh delete').catch(() => {})
    await rm(folder, { recursive: true })
  }
}

const isAssignment = (line: string): boolean => /^(export )?\w+=/.test(line)

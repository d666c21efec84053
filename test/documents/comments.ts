import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const SOURCES = ['*.ts', '*.tsx', '*.js', '*.sql', ':!web/src/graph/generated.ts']
/** A comment begins with a noun or a verb, which says at once whether to read on. */
const RIDDLE = /^\s*(?:\/\*\*?|\/\/|--)\s+(?:What|Whether|Of|Where|How|Which|Who|That)\b/
/** Only falls. */
const MOST = 60

/** Faults where more comments than `MOST` begin with a question word. */
export function commentFaults(): string[] {
  const listed = execFileSync('git', ['ls-files', ...SOURCES], { cwd: ROOT, encoding: 'utf8' })
  const found = listed
    .trim()
    .split('\n')
    .filter((path) => existsSync(join(ROOT, path)))
    .flatMap((path) =>
      readFileSync(join(ROOT, path), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          RIDDLE.test(line) ? [`${path}:${index + 1}: begin it with a noun or a verb`] : [],
        ),
    )
  return found.length > MOST
    ? [`${found.length} comments begin with a question word; ${MOST} may`, ...found]
    : []
}

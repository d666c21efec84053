import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const SOURCES = ['*.ts', '*.tsx', '*.js', '*.sql', ':!web/src/graph/generated.ts']
const QUESTION_WORD = /^\s*(?:\/\*\*?|\/\/|--)\s+(?:What|Whether|Of|Where|How|Which|Who|That)\b/

/** Comments that begin with a question word: a noun or a verb says at once whether to read on. */
export function commentFaults(): string[] {
  const listed = execFileSync('git', ['ls-files', ...SOURCES], { cwd: ROOT, encoding: 'utf8' })
  return listed
    .trim()
    .split('\n')
    .filter((path) => existsSync(join(ROOT, path)))
    .flatMap((path) =>
      readFileSync(join(ROOT, path), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          QUESTION_WORD.test(line)
            ? [`${path}:${index + 1}: begin the comment with a noun or a verb`]
            : [],
        ),
    )
}

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const SOURCES = ['*.ts', '*.tsx', '*.js', '*.sql', ':!web/src/graph/generated.ts']
const QUESTION_WORD =
  /(?:^|\n)[ \t]*(?:\/\*\*?|\/\/|--)(?:\n[ \t]*\*)?[ \t]+(?:What|Whether|Of|Where|How|Which|Who|That)\b/g

/** Comments that begin with a question word: a noun or a verb says at once whether to read on. */
export function commentFaults(): string[] {
  const listed = execFileSync('git', ['ls-files', ...SOURCES], { cwd: ROOT, encoding: 'utf8' })
  return listed
    .trim()
    .split('\n')
    .filter((path) => existsSync(join(ROOT, path)))
    .flatMap((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8')
      return [...text.matchAll(QUESTION_WORD)].map(({ 0: found, index }) => {
        const line = text.slice(0, index + found.length).split('\n').length
        return `${path}:${line}: begin the comment with a noun or a verb`
      })
    })
}

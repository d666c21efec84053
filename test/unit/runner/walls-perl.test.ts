import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../../runner/sandbox')

test.each(['walls.pl', 'walls-program.pl'])(
  '%s holds under strict, which it does without',
  (file) => {
    const options = { encoding: 'utf8', stdio: 'pipe' } as const
    expect(
      execFileSync('sh', ['-c', `perl -Mstrict -wc "$0" 2>&1`, join(FOLDER, file)], options),
    ).toMatch(/^\S+ syntax OK\n$/)
  },
)

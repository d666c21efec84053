import { basename, resolve } from 'node:path'
import { type Command, type Context, flagOf, listOf, type Option, textOf } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { changeLines } from '../folder/change-lines.ts'
import { artifactsOf, FILE_OPTIONS, noArtifact, readFiles } from '../folder/files.ts'
import type { Applied, Change } from '../json.ts'
import { STDIN } from '../text-file.ts'

const OPTIONS: Readonly<Record<string, Option>> = {
  file: {
    short: 'f',
    value: 'PATH',
    multiple: true,
    does: 'file or folder; . if absent; - is standard input',
  },
  set: {
    value: 'NAME',
    does: 'name of the set that the artifacts belong to; the name of the first folder if absent',
  },
  prune: { does: 'delete what this set held before and the files hold no more' },
  ...FILE_OPTIONS,
}

async function sent(context: Context, dryRun: boolean) {
  const { args, client, options } = context
  const paths = [...listOf(options, 'file'), ...args]
  const first = paths.find((path) => path !== STDIN) ?? '.'
  const files = await readFiles(paths.length > 0 ? paths : ['.'], context)
  const set = textOf(options, 'set') ?? basename(resolve(first)).replace(/[^A-Za-z0-9._~:-]/g, '-')
  if (files.length === 0 && !flagOf(options, 'prune')) throw noArtifact(first)
  const body = { set, dryRun, prune: flagOf(options, 'prune'), artifacts: artifactsOf(files) }
  return client.rest<Applied>('POST', '/apply', { body, isRepeatable: true })
}

function show({ changes, dryRun, set }: Applied, { terminal }: Context, inFull: boolean): void {
  for (const change of changes)
    for (const line of changeLines(change, inFull, terminal)) terminal.line(line)
  const count = (action: Change['action']) =>
    changes.filter((change) => change.action === action).length
  const counts = `${count('CREATED')} created, ${count('UPDATED')} updated, ${count('UNCHANGED')} unchanged, ${count('DELETED')} deleted`
  terminal.line(`Set ${set}: ${counts}${dryRun ? '; nothing was stored' : ''}`)
}

export const apply: Command = {
  name: 'apply',
  args: '[file or folder…]',
  count: [0, Number.POSITIVE_INFINITY],
  does: 'store the artifacts of files, all in one transaction',
  details: ['Applying the same files again changes nothing.'],
  options: { ...OPTIONS, 'dry-run': { does: 'show what would change and store nothing' } },
  async run(context) {
    const dryRun = flagOf(context.options, 'dry-run')
    const result = await sent(context, dryRun)
    context.terminal.json(result)
    show(result, context, dryRun)
  },
}

export const diff: Command = {
  name: 'diff',
  args: '[file or folder…]',
  count: [0, Number.POSITIVE_INFINITY],
  does: 'compare files with what is stored; exit code 1 where something differs',
  options: OPTIONS,
  async run(context) {
    const result = await sent(context, true)
    context.terminal.json(result)
    show(result, context, true)
    return result.changes.every(({ action }) => action === 'UNCHANGED') ? EXIT.ok : EXIT.failed
  },
}

import type { Command } from './command.ts'
import { apply, diff } from './commands/apply.ts'
import { cancel } from './commands/cancel.ts'
import { compare } from './commands/compare.ts'
import { completion } from './commands/completion.ts'
import { ackEvents, closeEvents, listEvents, sendEvents, tailEvents } from './commands/events.ts'
import { exportArtifacts } from './commands/export.ts'
import { importResults } from './commands/import.ts'
import { importEvents } from './commands/import-events.ts'
import { importRepository } from './commands/import-repository.ts'
import { importCurl, importOpenapi } from './commands/import-requests.ts'
import { init } from './commands/init.ts'
import { logs } from './commands/logs.ts'
import { results } from './commands/results.ts'
import { run } from './commands/run.ts'
import { schema } from './commands/schema.ts'
import { serve } from './commands/serve.ts'
import { validate } from './commands/validate.ts'
import { version } from './commands/version.ts'
import { watch } from './commands/watch.ts'
import { usageError } from './exit-codes.ts'
import { commandHelp, described, programHelp } from './help.ts'
import { seeHelp } from './program.ts'

export const HELP: Command = {
  name: 'help',
  args: '[command]',
  count: [0, 2],
  does: 'show all commands, or the options of one',
  async run({ args, terminal }) {
    const name = args.join(' ')
    const group = COMMANDS.filter((each) => each.name.startsWith(`${name} `))
    const found = COMMANDS.find((each) => each.name === name)
    const shown = name ? (found ? [found] : group) : COMMANDS
    if (shown.length === 0) throw usageError(`There is no command ${name}. ${seeHelp()}`)
    terminal.json(described(shown))
    terminal.text(name ? shown.map(commandHelp).join('\n') : programHelp(COMMANDS))
  },
}

/** Every command, in the order of help. */
export const COMMANDS: readonly Command[] = [
  init,
  validate,
  schema,
  apply,
  diff,
  exportArtifacts,
  run,
  watch,
  cancel,
  results,
  logs,
  compare,
  // Before the one with the first of their words.
  importEvents,
  importRepository,
  importCurl,
  importOpenapi,
  importResults,
  sendEvents,
  listEvents,
  tailEvents,
  ackEvents,
  closeEvents,
  serve,
  completion(() => COMMANDS),
  HELP,
  version,
]

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { closestMatch } from 'leven'
import type { Command, Options } from './command.ts'
import { COMMANDS, HELP } from './commands.ts'
import { usageError } from './exit-codes.ts'
import { COMMON_OPTIONS } from './help.ts'
import { seeHelp } from './program.ts'
import { oneLine } from './terminal.ts'

export interface ParsedCommand {
  command: Command
  args: readonly string[]
  options: Options
}

/** Finds the command in the arguments, and reads its options. @throws CommandError for what is none */
export function parseCommand(given: readonly string[]): ParsedCommand {
  if (given[0] === '--version') return parseCommand(['version', ...given.slice(1)])
  const words = given.filter((word) => !word.startsWith('-'))
  const name = words.slice(0, 2).join(' ')
  const command = COMMANDS.find((each) => each.name === name || each.name === words[0])
  const wantsHelp = given.includes('--help') || given.includes('-h')
  if (!command) return withoutCommand(given, words, wantsHelp)
  if (wantsHelp) return { command: HELP, args: [command.name], options: {} }
  const { values, positionals } = parsed(command, given)
  checkChoices(command, values)
  const args = positionals.slice(command.name.split(' ').length)
  const [least, most] = command.count
  if (args.length < least || args.length > most)
    throw usageError(
      `${command.name} takes ${command.args || 'no arguments'}, not ${args.length > 0 ? args.join(' ') : 'nothing'}. ${seeHelp(command.name)}`,
    )
  return { command, args, options: values }
}

/** They mean the same without a command. */
const HELP_OPTIONS = ['-h', '--help', '--json']

function withoutCommand(
  given: readonly string[],
  words: readonly string[],
  wantsHelp: boolean,
): ParsedCommand {
  const [word] = words
  const stray = given.find((each) => each.startsWith('-') && !HELP_OPTIONS.includes(each))
  if (word === undefined && stray !== undefined && !wantsHelp)
    throw usageError(`Expected a command before ${stray}. ${seeHelp()}`)
  const isGroup = COMMANDS.some(({ name }) => name.startsWith(`${word} `))
  if (word === undefined || (isGroup && (wantsHelp || words.length === 1)))
    return { command: HELP, args: word === undefined ? [] : [word], options: {} }
  const asked = words.slice(0, isGroup ? 2 : 1).join(' ')
  const names = COMMANDS.map(({ name }) => name)
  throw usageError(`There is no command ${asked}.${meant(asked, names)} ${seeHelp()}`)
}

function parsed(command: Command, given: readonly string[]) {
  const options: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(
      ([name, { value, multiple = false, short }]) => [
        name,
        { type: value ? 'string' : 'boolean', multiple, ...(short && { short }) } as const,
      ],
    ),
  )
  try {
    return parseArgs({ args: [...given], options, allowPositionals: true })
  } catch (error) {
    const [text = ''] = String((error as Error).message).split('. To specify') // of parseArgs
    const message = oneLine(text).replace(/\.$/, '')
    const [, unknown] = /^Unknown option '(--[^']+)'/.exec(message) ?? []
    const names = Object.keys(options).map((name) => `--${name}`)
    const hint = unknown === undefined ? '' : meant(unknown, names)
    throw usageError(`${message}.${hint} ${seeHelp(command.name)}`)
  }
}

function checkChoices({ options = {} }: Command, values: Options): void {
  for (const [name, { choices }] of Object.entries(options)) {
    const wrong = [values[name] ?? []].flat().find((each) => choices?.includes(`${each}`) === false)
    if (wrong !== undefined)
      throw usageError(`--${name} is ${wrong}: expected ${choices?.join(', ')}`)
  }
}

/** Letters that a misspelt word may differ in. */
const MAX_DISTANCE = 2

function meant(given: string, names: readonly string[]): string {
  const nearest = closestMatch(given, names, { maxDistance: MAX_DISTANCE })
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`
}

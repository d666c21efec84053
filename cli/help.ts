import type { Command, Option } from './command.ts'
import { EXIT_MEANINGS } from './exit-codes.ts'

export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  json: { does: 'write results as JSON, one document a line' },
  help: { short: 'h', does: 'show this text' },
}

const INTRODUCTION = 'Scenarios as code: store, validate and run them, read results, send events.'

export const SETTINGS: Readonly<Record<string, string>> = {
  ASSAY_URL: 'where Assay is; http://127.0.0.1:4000 if absent. A path in it is the REST root.',
  ASSAY_TOKEN: 'API token or session token, where users sign in',
  ASSAY_CREDENTIALS: '<USER_ID>:<PASSWORD>, the sign-in at the host of components',
  NO_COLOR: 'no colours; there are none outside of a terminal anyway',
}

/** The whole help of the program. */
export const programHelp = (commands: readonly Command[]): string =>
  [
    INTRODUCTION,
    '',
    'Usage',
    '  assay <command> [arguments] [options]',
    '',
    'Commands',
    ...columns(commands.map(({ name, does }) => [name, does])),
    '',
    'Settings',
    ...columns(Object.entries(SETTINGS)),
    '',
    'Exit codes',
    ...columns(Object.entries(EXIT_MEANINGS)),
    '',
    'assay help <command> shows the options of a command.',
    '',
  ].join('\n')

/** The help of one command. */
export function commandHelp({ name, args, does, details = [], options = {} }: Command): string {
  const all = Object.entries({ ...options, ...COMMON_OPTIONS })
  return [
    `${sentence(does)}.`,
    ...details,
    '',
    'Usage',
    `  ${['assay', name, args, '[options]'].filter(Boolean).join(' ')}`,
    '',
    'Options',
    ...columns(all.map(([option, described]) => [nameOf(option, described), described.does])),
    '',
  ].join('\n')
}

/** The same for programs. */
export const described = (commands: readonly Command[]) => ({
  commands: commands.map(({ name, args, does, details = [], options = {} }) => ({
    ...{ name, args, does, details },
    options: Object.entries({ ...options, ...COMMON_OPTIONS }).map(([option, about]) => ({
      name: option,
      ...about,
    })),
  })),
  exitCodes: EXIT_MEANINGS,
})

const nameOf = (name: string, { value, short, multiple }: Option): string =>
  `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}${multiple ? ' …' : ''}`

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const columns = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}   ${right}`)
}

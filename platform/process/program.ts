import { existsSync, readFileSync } from 'node:fs'
import { type ParseArgsOptionsConfig, parseArgs, parseEnv } from 'node:util'
import { ConfigError, type Env } from '../settings/env.ts'
import { defaultOf, fileVariableOf, type Settings } from '../settings/setting.ts'
import { TIERS, type Variables } from '../settings/variables.ts'
import { REVISION, VERSION } from './version.ts'

/** Description of a program for `--help`. */
export interface Program {
  /** Ways to start it, a line each. */
  usage: readonly string[]
  /** Purpose, as one sentence. */
  does: string
  /** The settings that it reads. */
  reads: readonly (keyof Variables)[]
  /** Further options; `--help` and `--version` belong to every program. */
  options?: ParseArgsOptionsConfig
  /** When it ends with which exit code. */
  exitCodes: Readonly<Record<number, string>>
}

/** Read besides the environment, which wins. In the working folder. */
const SETTINGS_FILE = '.env'

export interface Opened {
  env: Env
  args: string[]
  /** Parts of the file of settings without an effect, in words. */
  ignored: string[]
}

const VERSION_LINE = `assay ${VERSION}${REVISION && ` (${REVISION})`}\n`

/**
 * Reads what a program was started with. Prints help or version where that is asked for, and ends the process.
 * @throws ConfigError when an argument is unknown or the file of settings cannot be read
 */
export function openProgram(program: Program): Opened {
  const { help, version, args } = argumentsOf(program)
  if (help || version) {
    process.stdout.write(help ? helpOf(program) : VERSION_LINE)
    process.exit(0)
  }
  const ignored = existsSync(SETTINGS_FILE) ? loadSettings() : []
  return { env: process.env, args, ignored }
}

function argumentsOf({ options = {}, usage }: Program) {
  try {
    const { values, positionals: args } = parseArgs({
      options: {
        ...options,
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
      allowPositionals: true,
    })
    return { ...values, args }
  } catch (error) {
    throw new ConfigError([(error as Error).message, `usage: ${usage.join(', or ')}`])
  }
}

/**
 * Not `process.loadEnvFile`: it says of any file that it cannot read that there is none.
 * @returns what it ignores
 */
function loadSettings(): string[] {
  const text = readSettings().replace(/^\uFEFF/, '') // editors on Windows mark UTF-8
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value
  return linesWithout(text).map((line) => `line ${line} of ${SETTINGS_FILE} is no NAME=value`)
}

/** A value in quotation marks, which may have several lines. */
const QUOTED = /^([^#=\n]*=[^\S\n]*)(["'`])[\s\S]*?\2/gm

/** Numbers of the lines that are neither a setting nor empty nor a comment. They may hold a secret: not their text. */
function linesWithout(text: string): number[] {
  const lines = text
    .replace(QUOTED, (value, name: string) => name + value.replace(/[^\n]/g, ''))
    .split('\n')
  return lines.flatMap((line, index) => (/^\s*(#|$)|=/.test(line) ? [] : [index + 1]))
}

function readSettings(): string {
  try {
    return readFileSync(SETTINGS_FILE, 'utf8')
  } catch (error) {
    throw new ConfigError([`${SETTINGS_FILE} cannot be read: ${(error as Error).message}`])
  }
}

const HEADINGS = {
  everyday: 'Settings for every day',
  operators: 'Settings of operators',
  limits: 'Limits',
} as const satisfies Record<keyof typeof TIERS, string>

/** The whole help of a program. */
export const helpOf = ({ usage, does, reads, exitCodes }: Program): string =>
  [
    does,
    '',
    'Usage',
    ...usage.map((line) => `  ${line}`),
    '  --help, -h   this text',
    '  --version    the version',
    '',
    `Settings are environment variables. A file ${SETTINGS_FILE} in the working folder may hold them, too; the`,
    'environment wins.',
    ...Object.entries(HEADINGS).flatMap(
      ([tier, heading]) => sectionOf(heading, TIERS[tier as keyof typeof HEADINGS], reads), // the keys of a literal
    ),
    '',
    'Exit codes',
    ...Object.entries(exitCodes).map(([code, when]) => `  ${code}   ${when}`),
    '',
  ].join('\n')

function sectionOf(heading: string, settings: Settings, reads: readonly string[]): string[] {
  const read = Object.entries(settings).filter(([name]) => reads.includes(name))
  if (read.length === 0) return []
  const lines = read.flatMap(([name, setting]) => [
    `  ${name} (${plain(defaultOf(setting))})${setting.isSecret ? `, or ${fileVariableOf(name)}` : ''}`,
    `      ${plain(setting.meaning)}`,
  ])
  return ['', heading, ...lines]
}

/** Markdown as a terminal shows it. */
const plain = (markdown: string): string =>
  markdown.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '')

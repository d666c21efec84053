import type { Client } from './client.ts'
import { type ExitCode, usageError } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

export interface Option {
  /** Name of its value in help; a flag has none. */
  value?: string
  /** It may be given several times. */
  multiple?: true
  short?: string
  /** The only words that it takes. */
  choices?: readonly string[]
  does: string
}

/** Options by name, as they were given. */
export type Options = Readonly<
  Record<string, string | boolean | readonly (string | boolean)[] | undefined>
>

/** Context of a command. */
export interface Context {
  args: readonly string[]
  options: Options
  /** Read by commands that ask the product alone. @throws CommandError for a wrong ASSAY_URL */
  readonly client: Client
  terminal: Terminal
  env: Readonly<Record<string, string | undefined>>
  /** Aborted by Ctrl-C and SIGTERM. */
  signal: AbortSignal
}

export interface Command {
  /** One word or two, such as `events send`. */
  name: string
  /** Its arguments as help shows them. */
  args: string
  /** Minimum and maximum number of arguments. */
  count: readonly [number, number]
  does: string
  /** More than one sentence about it. */
  details?: readonly string[]
  options?: Readonly<Record<string, Option>>
  /** Set where the exit code judges an execution, so that it waits for the end although the output has no reader left. */
  isJudged?: true
  /** @returns its exit code; 0 if absent @throws CommandError */
  run(context: Context): Promise<ExitCode> | Promise<void>
}

/** The text of an option, or undefined. */
export const textOf = (options: Options, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

export const listOf = (options: Options, name: string): readonly string[] => {
  const value = options[name]
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

const MAX_LIMIT = 1_000

/** The value of --limit. @throws CommandError for what is no number of items */
export function limitOf(options: Options): string | undefined {
  const limit = textOf(options, 'limit')
  if (limit === undefined || (/^\d{1,4}$/.test(limit) && +limit >= 1 && +limit <= MAX_LIMIT))
    return limit
  throw usageError(`--limit is ${limit}: expected a number from 1 to ${MAX_LIMIT}`)
}

/** The values of --label. @throws CommandError for what has no name and value */
export function labelsOf(options: Options): readonly string[] {
  const labels = listOf(options, 'label')
  const wrong = labels.find((label) => !/^[^=]+=/.test(label))
  if (wrong === undefined) return labels
  throw usageError(`--label is ${wrong}: expected NAME=VALUE, such as build=42`)
}

export const flagOf = (options: Options, name: string): boolean => options[name] === true

import type { Client } from '../client.ts'
import { CommandError } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'
import { type Result, scenarioLines } from './result.ts'

interface Message {
  headers: Readonly<Record<string, unknown>>
  /** The beginning of a long one. */
  body: string | null
  bodyLength: number
}

/** The last request of a step that did not succeed, and its response. Secrets are masked. */
export interface Exchange {
  durationMs: number
  request: Message & { method: string; url: string }
  /** Null where none came. */
  response: (Message & { status: number }) | null
}

/** Exchange of a step, by its path in the scenario. */
export interface StepExchange {
  step: string
  exchange: Exchange
}

/** Lines and characters of a body that a terminal shows. */
const MAX_LINES = 12
const MAX_SHOWN = 1_000

/** The requests of steps that did not succeed. None for what is good, for a reported test, and where details are gone. */
export async function exchangesOf(
  { id, state }: Pick<Result, 'id' | 'state'>,
  client: Client,
): Promise<StepExchange[]> {
  if (state === 'COMPLETED' || state === 'RUNNING' || id.includes('~')) return []
  try {
    const steps = await client.rest<
      { id: string; path: string | null; exchange: Exchange | null }[]
    >('GET', `/result/${id}/steps`)
    return steps.flatMap(({ id: own, path, exchange }) =>
      exchange ? [{ step: path ?? own, exchange }] : [],
    )
  } catch (error) {
    if (error instanceof CommandError && error.code) return []
    throw error
  }
}

/** Shows the result of a scenario, its failures and their requests; nothing where results are JSON. */
export async function showScenario(result: Result, client: Client, terminal: Terminal) {
  if (terminal.isJson) return
  const exchanges = await exchangesOf(result, client)
  for (const line of [...scenarioLines(result, terminal), ...exchanges.flatMap(exchangeLines)])
    terminal.line(line)
}

/** As a terminal shows it below the failures of its scenario. */
export function exchangeLines({ step, exchange }: StepExchange): string[] {
  const { request, response } = exchange
  const head = `${step}: ${request.method} ${request.url} → ${outcomeOf(exchange)}`
  const body = (response?.body ?? '').slice(0, MAX_SHOWN).trimEnd().split(/\r?\n/)
  const isCut = body.length > MAX_LINES || (response?.bodyLength ?? 0) > MAX_SHOWN
  return [
    `    ${head}`,
    ...body.slice(0, MAX_LINES).flatMap((line) => (line === '' ? [] : [`      ${line}`])),
    ...(isCut ? ['      …'] : []),
  ]
}

/** The whole of it, as HTTP writes it. */
export function exchangeText({ exchange }: StepExchange): string {
  const { request, response } = exchange
  return [
    `${request.method} ${request.url}`,
    ...messageLines(request),
    '',
    `# ${outcomeOf(exchange)}`,
    ...(response ? messageLines(response) : []),
    '',
  ].join('\n')
}

const outcomeOf = ({ response, durationMs }: Exchange): string =>
  `${response ? response.status : 'no response'} after ${durationMs} ms`

const messageLines = ({ headers, body, bodyLength }: Message): string[] => [
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ...(body === null ? [] : ['', body]),
  ...(body !== null && bodyLength > body.length
    ? [`# the first ${body.length} of ${bodyLength} characters`]
    : []),
]

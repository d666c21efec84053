import type { Sources } from '../../formats/coverage/reports.ts'
import { type Command, type Context, flagOf, textOf } from '../command.ts'
import { CommandError, EXIT, type ExitCode, usageError } from '../exit-codes.ts'
import { annotationsOf } from '../run/annotations.ts'
import { awaitResult } from '../run/await-result.ts'
import { follow } from '../run/follow.ts'
import { markLines, readMarks } from '../run/marks.ts'
import {
  areReportsAsked,
  judge,
  leastCoverage,
  REPORT_OPTIONS,
  writeReports,
} from '../run/reports.ts'
import { type Result, verdictLine } from '../run/result.ts'
import { START_OPTIONS, start } from '../run/start.ts'
import type { Terminal } from '../terminal.ts'

export const run: Command = {
  name: 'run',
  args: '<id | file | folder | -…>',
  count: [0, Number.POSITIVE_INFINITY],
  does: 'execute a stored scenario or suite, or files without storing them',
  details: [
    'A folder runs all its scenarios; a file runs with those beside it in its folder. Files',
    'stand before stored artifacts with their ids; - reads YAML or JSON of an artifact, or of a',
    'list, each with kind and id. A folder without artifacts does not hide a stored id.',
    '--failed RESULT takes no id or file: it executes what did not pass of that result, in its',
    'environment and with its labels.',
    'Ctrl-C, SIGTERM and --timeout cancel the execution; reports show what it came to. A second',
    'Ctrl-C ends the command at once.',
  ],
  options: {
    ...START_OPTIONS,
    follow: { does: 'show every step and log line' },
    timeout: { value: 'TIME', does: 'cancel after this time, such as 90s, 10m or 1h' },
    ...REPORT_OPTIONS,
  },
  isJudged: true,
  async run(context) {
    return execute(context, flagOf(context.options, 'follow'))
  },
}

/** Executes, waits, writes reports and judges. @throws CommandError */
export async function execute(context: Context, isFollowed: boolean): Promise<ExitCode> {
  const { client, env, options, signal, terminal } = context
  const least = leastCoverage(options)
  const timeoutMs = timeOf(textOf(options, 'timeout'))
  const { result: started, sources, files } = await start(context)
  const { id, contextId } = started
  terminal.note(`${contextId} runs as ${id}`)
  const time = timeoutMs === null ? null : AbortSignal.timeout(timeoutMs)
  const ended = time ? AbortSignal.any([signal, time]) : signal
  const waiting = awaitResult(
    { id, signal: ended },
    client,
    isFollowed ? silent(terminal) : terminal,
  )
  const [result] = await Promise.all([waiting, isFollowed && follow(id, client, terminal)]).catch(
    async (error: unknown) => {
      if (!ended.aborted) return lost(started, error, context)
      const reason = signal.aborted ? 'Ctrl-C or SIGTERM' : `--timeout ${options.timeout}`
      const left = await cancelled(id, reason, context).catch((fault: unknown) =>
        lost(started, fault, context),
      )
      terminal.json(left)
      terminal.progress(null)
      terminal.note(`${contextId} was cancelled`)
      if (areReportsAsked(options)) await reportCancelled(id, sources, context)
      if (signal.aborted) throw signal.reason
      throw new CommandError(
        EXIT.timeout,
        `${contextId} took longer than ${options.timeout}; it was cancelled`,
      )
    },
  )
  terminal.json(result)
  const marks = await readMarks(id, client)
  if (marks) for (const line of markLines(marks, terminal)) terminal.line(line)
  terminal.line(verdictLine(result, terminal))
  const page = await client.page(`/executions/${id}`)
  if (page) terminal.note(`See ${page}`)
  if (env.GITHUB_ACTIONS === 'true')
    for (const line of annotationsOf(result, files)) terminal.command(line)
  await writeReports(result, sources, options, client)
  return judge(result, least, context, marks?.isQuarantined)
}

/** Shows an execution as it began, where nothing later could be read of it. @throws the reason */
function lost(started: Result, reason: unknown, { terminal }: Context): never {
  terminal.json(started)
  throw reason
}

/** Cancels what runs; it may have ended meanwhile. */
async function cancelled(id: string, reason: string, { client }: Context): Promise<Result> {
  const request = { query: { reason: `assay run: ${reason}` }, isRepeatable: true }
  const late = client.forCleanup()
  return late.rest<Result>('POST', `/result/${id}/cancel`, request).catch((error: unknown) => {
    if (!(error instanceof CommandError && error.code === 'CONFLICT')) throw error
    return late.rest<Result>('GET', `/result/${id}`)
  })
}

/** Longest time for the end of a teardown, and so for the reports, after --timeout. */
const TEARDOWN_MS = 60_000

/** Writes the reports of a cancelled execution. What goes wrong is noted: the command ends for another reason. */
async function reportCancelled(
  id: string,
  sources: Sources,
  { client, options, signal, terminal }: Context,
): Promise<void> {
  // Ctrl-C ends the requests of the client, and leaves little time.
  const reader = signal.aborted ? client.forCleanup() : client
  const late = AbortSignal.timeout(TEARDOWN_MS)
  try {
    const awaited = { id, signal: late }
    const result = await awaitResult(awaited, reader, silent(terminal))
    await writeReports(result, sources, options, reader)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const reason = error === late.reason ? 'the teardown still runs' : error.message
    terminal.note(`Reports are missing: ${reason}`)
  }
}

const silent = (terminal: Terminal): Terminal => ({
  ...terminal,
  isJson: true,
  isLive: false,
  line: () => {},
})

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** The longest time of a timer, somewhat more than 596 hours. */
const MAX_TIME_MS = 2 ** 31 - 1

/** @throws CommandError for what is no time, or too long */
export function timeOf(text: string | undefined): number | null {
  if (text === undefined) return null
  const [, amount, unit = 's'] = /^(\d+)(ms|s|m|h)?$/.exec(text) ?? []
  if (amount === undefined)
    throw usageError(`--timeout is ${text}: expected a time such as 90s, 10m or 1h`)
  const ms = Number(amount) * (UNITS[unit] ?? 1)
  if (ms <= MAX_TIME_MS) return ms
  throw usageError(`--timeout is ${text}: expected at most 596h`)
}

import { RunError } from '../run/error.ts'
import { ATTACH } from './attach-files.ts'
import { fileClock } from './file-clock.ts'
import { MAX_OUTPUT_BYTES, runProgram } from './program.ts'
import { REPORT_FILES, type ReportFile } from './report-file.ts'
import type { StepKind } from './step-kind.ts'

export interface CommandSettings {
  program: string
  args?: string[]
  env?: Record<string, string>
  /** Standard input. */
  stdin?: string
  /** Reports that the program writes for us to read. */
  reports?: ReportFile[]
  /** Patterns of files that are kept with the result. */
  attach?: string[]
}

const WORD = { type: 'string', maxLength: 100_000, pattern: '^[^\\u0000]*$' }

/**
 * Starts a program on the machine of the worker, without a shell, in an empty folder; the result is `{exitCode, stdout,
 * stderr}`. It is owned by an unprivileged user, and nothing that it starts outlives it. Its environment is `PATH`, `HOME`, `LANG`, `HOST_USER_ID`, `HOST_PASSWORD` and what the step gives.
 */
export const command: StepKind<CommandSettings> = {
  schema: {
    type: 'object',
    description: 'Starts a program; the result is `{exitCode, stdout, stderr}`.',
    additionalProperties: false,
    required: ['program'],
    properties: {
      program: { ...WORD, minLength: 1 },
      args: { type: 'array', maxItems: 1_000, items: WORD },
      env: {
        type: 'object',
        propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
        additionalProperties: WORD,
      },
      stdin: { type: 'string' },
      reports: REPORT_FILES,
      attach: {
        ...ATTACH,
        description:
          'Files below its folder that are kept with the result, also of a program that fails; `*` and `**` stand for any names.',
      },
    },
  },
  defaultTimeoutMs: 300_000,
  runner: 'COMMAND',
  implied: [
    {
      name: 'exit code',
      path: '$.exitCode',
      assert: 'exitCode',
      value: 0,
      saidBy: ['exitCode'],
    },
  ],
  async run({ program, args = [], env = {}, stdin = '', reports = [], attach = [] }, context) {
    const { credentials, log, signal } = context
    const behind = context.commandWalls()
    const folder = await context.folder()
    const home = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: folder, LANG: 'C.UTF-8' }
    const host: Record<string, string> = credentials
      ? { HOST_USER_ID: credentials.userId, HOST_PASSWORD: credentials.password }
      : {}
    log('INFO', `$ ${[program, ...args].join(' ')}`)
    const notStarted = (error: Error): never => {
      if (error instanceof RunError) throw error
      throw new RunError('COMMAND_NOT_STARTED', `${program} cannot be started: ${error.message}`)
    }
    const began = reports.length > 0 ? await fileClock(folder, signal).catch(notStarted) : 0n
    const result = await runProgram(
      { program, args, env: { ...home, ...host, ...env }, folder, stdin, behind },
      (stream, line) => log(stream === 'stdout' ? 'INFO' : 'WARN', line),
      signal,
    ).catch(notStarted)
    if (attach.length > 0) await context.attach(folder, attach)
    if (result.exitCode === null) {
      const reason = result.tooMuch
        ? new RunError('OUTPUT_LIMIT', `${program} wrote more than ${MAX_OUTPUT_BYTES} bytes`)
        : new RunError('CRASHED', `${program} was ended by ${result.endedBy}`)
      throw reason
    }
    const { exitCode, stdout, stderr } = result
    const output = { result: { exitCode, stdout, stderr } }
    if (reports.length === 0) return output
    // Loaded by the first who needs it: the XML library takes its time and memory.
    const { readReports } = await import('./command-reports.ts')
    const warn = (text: string) => log('WARN', text)
    const written = { folder, began, files: reports, warn }
    const { cases, files, coverage } = await readReports(written, context.evaluation, signal)
    context.addCoverage(coverage)
    if (files.length > 0) await context.attach(folder, files)
    return { ...output, nested: await context.report(cases) }
  },
}

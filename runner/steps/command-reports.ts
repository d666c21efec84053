import { lstat } from 'node:fs/promises'
import { isAbsolute, join, posix, relative } from 'node:path'
import { oddRowsOf } from '../../formats/coverage/odd-rows.ts'
import { decodeText } from '../../formats/decode-text.ts'
import { MAX_TEST_LOG } from '../../formats/import-limits.ts'
import { mergeReruns } from '../../formats/junit/merge-reruns.ts'
import { placesOf, tellApart } from '../../formats/tell-apart.ts'
import { unlessAborted } from '../../platform/async/unless-aborted.ts'
import { TimeBudget } from '../../platform/task-processes/task-processes.ts'
import { fileCoverage, MAX_SOURCE_BYTES } from '../coverage/file-coverage.ts'
import type { MeasuredCoverage } from '../coverage/line-coverage.ts'
import type { Evaluation } from '../evaluation/evaluation.ts'
import type { ReportedCase } from '../reports/reported-case.ts'
import { RunError } from '../run/error.ts'
import { findReports } from './find-reports.ts'
import { readBytesInside, readSourceInside } from './read-inside.ts'
import type { ReportFile } from './report-file.ts'

/** Bytes of one report. */
const MAX_REPORT_BYTES = 16 * 1024 * 1024
/** Maximum size of all reports of a step together. */
const MAX_REPORTS_BYTES = 64 * 1024 * 1024
/** Processor time. */
export const REPORTS_MS = 30_000

export interface WrittenReports {
  folder: string
  /** When the program began, by the clock of its files. Steps share the folder: older files are those of others. */
  began: bigint
  files: readonly ReportFile[]
  /** Takes what is odd about a report, and no fault. */
  warn(text: string): void
}

export interface ReadReports {
  cases: ReportedCase[]
  files: string[]
  coverage: MeasuredCoverage[]
}

/** @throws RunError REPORT_UNREADABLE; the reason of the signal */
export async function readReports(
  written: WrittenReports,
  evaluation: Evaluation,
  signal: AbortSignal,
): Promise<ReadReports> {
  const reading = new ReportReading(written, evaluation, signal)
  for (const report of written.files) await reading.add(report)
  return reading.result()
}

/** Reads the reports of a step, one after the other, within their common limits. */
class ReportReading {
  readonly #budget = new TimeBudget('REPORTS_MS', REPORTS_MS)
  readonly #reported: { path: string; cases: ReportedCase[]; reruns: boolean }[] = []
  readonly #coverage: MeasuredCoverage[] = []
  readonly #files = new Set<string>()
  readonly #findings = { entries: 0, reports: 0 }
  readonly #sources = { files: 0, lines: 0, bytes: 0 }
  #bytes = 0

  constructor(
    private readonly written: WrittenReports,
    private readonly evaluation: Evaluation,
    private readonly signal: AbortSignal,
  ) {}

  /** Reads all files that a row names. */
  async add(report: ReportFile): Promise<void> {
    const { signal } = this
    const { folder, began } = this.written
    const { path } = report
    const unreadable = this.#unreadable(path)
    let older = 0
    const isWritten = async (file: string) => {
      const found = await lstat(file, { bigint: true }).catch(() => null) // another row removed it
      if (found && found.ctimeNs < began) older += 1
      return found !== null && found.ctimeNs >= began
    }
    const names = await findReports(folder, path, this.#findings, signal, isWritten).catch(
      unreadable,
    )
    if (names.length === 0)
      unreadable(
        older > 0
          ? 'names no file that this step wrote; older ones are there'
          : 'is not there as a plain file of the run',
      )
    for (const name of names) {
      signal.throwIfAborted()
      if (this.#reported.some(({ path: read }) => read === name)) continue // patterns may overlap
      await this.#addFile(name, report)
    }
  }

  async #addFile(name: string, report: ReportFile): Promise<void> {
    const { format, timeZone: zone = 'UTC', reruns = false } = report
    const { folder, warn } = this.written
    const text = await this.#textOf(name, report)
    const task = { format, text, zone, reruns }
    const reading = this.evaluation.run('readReport', task, this.#budget, this.signal)
    const read = await unlessAborted(reading, this.signal).catch(
      this.#unreadable(name, `is no ${format}: `),
    )
    const reportFolder = name.split('/').slice(0, -1).join('/')
    for (const file of read.cases.flatMap((each) => each.files))
      this.#files.add(await placeOf(file, folder, reportFolder))
    for (const each of read.warnings) warn(`The report ${name}: ${each}`)
    if (!read.coverage) {
      if (read.cases.length === 0) warn(`The report ${name} has no test`)
      this.#reported.push({ path: name, cases: read.cases, reruns })
      return
    }
    const odd = oddRowsOf(`The report ${name}`, read.coverage)
    if (odd !== null) warn(odd)
    const place = { folder, reportFolder, tag: format, read: (path: string) => this.#source(path) }
    const { files } = read.coverage
    const covered = await fileCoverage(files, place, this.#sources, this.signal).catch(
      this.#unreadable(name),
    )
    for (const each of covered) this.#coverage.push(each)
  }

  /** Its faults name the row of the report, which may be a pattern. */
  async #textOf(name: string, { path }: ReportFile): Promise<string> {
    const unreadable = this.#unreadable(path)
    const { folder } = this.written
    const content = await readBytesInside(folder, name, MAX_REPORT_BYTES).catch(unreadable)
    this.#bytes += content.length
    if (this.#bytes > MAX_REPORTS_BYTES)
      unreadable(`and those before it are larger than ${MAX_REPORTS_BYTES} bytes. Leave some out`)
    return decodeText(content)
  }

  #source(path: string) {
    this.signal.throwIfAborted()
    return readSourceInside(this.written.folder, path, MAX_SOURCE_BYTES)
  }

  /** Says no more than the step does, but for names that its program gave. */
  #unreadable(name: string, prefix = ''): (error: unknown) => never {
    return (error) => {
      this.signal.throwIfAborted()
      const fault = error instanceof Error ? error.message : error
      throw new RunError('REPORT_UNREADABLE', `The report ${name} ${prefix}${fault}`)
    }
  }

  result(): ReadReports {
    const places = placesOf(this.#reported.map(({ path }) => path))
    const placed = (isRerun: boolean) =>
      this.#reported.flatMap(({ cases, reruns }, at) =>
        reruns === isRerun ? cases.map((scenario) => ({ scenario, place: places[at] ?? '' })) : [],
      )
    const merged = mergeReruns(
      placed(true).map(({ scenario }) => scenario),
      ({ message, started, durationMs }, state) => ({
        ...{ state, message, started, durationMs: durationMs ?? 0 },
      }),
    )
    const cases = tellApart([
      ...merged.map((scenario) => ({ scenario, place: '' })),
      ...placed(false),
    ]).map((each) => ({ ...each, log: each.log.slice(-MAX_TEST_LOG) }))
    return { cases, files: [...this.#files], coverage: this.#coverage }
  }
}

/** The path of a file below the folder of the run. Reports name files from their own folder, that one, or the root. */
async function placeOf(file: string, folder: string, reportFolder: string): Promise<string> {
  if (isAbsolute(file)) return relative(folder, file)
  const beside = posix.join(reportFolder, file)
  const isThere = await lstat(join(folder, beside)).catch(() => null)
  return isThere ? beside : file
}

import { dirname } from 'node:path'
import { MAX_TEST_LOG } from '../../formats/import-limits.ts'
import { mergeReruns } from '../../formats/junit/merge-reruns.ts'
import type { ReportOptions } from '../../formats/junit/reported-test.ts'
import type { ResultFormat } from '../../formats/results/result-formats.ts'
import { type Report, tryOf } from '../../formats/results/scenario.ts'
import { placesOf, tellApart } from '../../formats/tell-apart.ts'
import { usageError } from '../exit-codes.ts'
import { fileFault, readText } from '../text-file.ts'
import { withFiles } from './files.ts'
import { refuseAll, reportFiles } from './report-files.ts'

/** Characters of what a parser says that are shown. */
const MAX_REASON = 160

/**
 * The reports of one execution, with the files that they name.
 * @param named files and folders @param within as `--attachments-from` names it
 * @returns scenarios as the interface takes them, warnings for their logs, and notes on what is left out
 * @throws CommandError that names each file that is no such report
 */
export async function readReports(
  format: ResultFormat,
  named: readonly string[],
  {
    signal,
    within,
    ...options
  }: ReportOptions & { signal: AbortSignal; within?: string | undefined },
) {
  const notes: string[] = []
  const faults: string[] = []
  const read: { path: string; report: Report }[] = []
  for (const { path, isFound } of await reportFiles(named, format.ends)) {
    try {
      const text = await readText(path, signal)
      if (isFound && text.trim() !== '' && !format.mark.test(text)) {
        notes.push(`${path} is left out: it is no ${format.title}`)
        continue
      }
      const report = format.read(text, options)
      if (report.scenarios.length === 0) notes.push(`${path} has no test`)
      read.push({ path, report })
    } catch (error) {
      signal.throwIfAborted()
      const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
      faults.push(
        fileFault(error) ?? `${path} is no ${format.title}: ${reason.slice(0, MAX_REASON)}`,
      )
    }
  }
  refuseAll(faults)
  if (read.every(({ report }) => report.scenarios.length === 0))
    throw usageError(
      read.length === 1
        ? `${read[0]?.path} has no test`
        : `${named.join(', ')}: no file has a test`,
    )
  const places = placesOf(read.map(({ path }) => path))
  const folders = read.map(({ path, report }) => ({
    folder: dirname(path),
    scenarios: report.scenarios,
  }))
  const { attached, leftOut } = withFiles(folders, within)
  const placed = attached.flatMap((scenarios, at) =>
    scenarios.map((scenario) => ({ scenario, place: places[at] ?? '' })),
  )
  const merged = options.reruns
    ? mergeReruns(
        placed.map(({ scenario }) => scenario),
        tryOf,
      )
    : tellApart(placed)
  return {
    scenarios: merged.map((each) => ({ ...each, log: each.log.slice(-MAX_TEST_LOG) })),
    warnings: read.flatMap(({ path, report }) =>
      report.warnings.map((warning) => (read.length === 1 ? warning : `${path}: ${warning}`)),
    ),
    notes: [...notes, ...leftOut],
  }
}

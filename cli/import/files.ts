import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import { isBelow, isHidden } from '../../formats/artifact-files/inside.ts'
import type { NamedFile, Scenario, Step } from '../../formats/results/scenario.ts'

/** Maximum that the product takes of one file (its default of ATTACHMENT_BYTES), and of all: Base64 of them fits into a request of 16 MiB. */
const MAX_FILE = 5 * 1024 * 1024
const MAX_ALL = 10 * 1024 * 1024
const MAX_FILES = 200

/**
 * Reads the files that steps name. A report may come from anyone whose tests a build runs, so it gets no other file of
 * the machine: only plain ones below `within`, with links resolved, and none that is hidden below the report.
 * @param reports with their folders @param within as `--attachments-from` names it; the folder of each report if absent
 * @returns scenarios of each report as the interface takes them, and why files are left out
 */
export function withFiles(
  reports: readonly { scenarios: readonly Scenario[]; folder: string }[],
  within?: string,
) {
  const leftOut: string[] = []
  let count = 0
  let size = 0

  const contentOf = (folder: string, { name, path, base64 = '' }: NamedFile): string | null => {
    const root = realPathOf(within ?? folder)
    const leave = (reason: string) => {
      leftOut.push(`${path ?? name} is not attached: ${reason}`)
      return null
    }
    if (count === MAX_FILES) return leave(`an execution has ${MAX_FILES} files at most`)
    const file = path === null ? null : realPathOf(resolve(folder, path))
    const found = file === null ? null : lstatSync(file)
    if (path !== null && !found) return leave('there is no such file')
    if (found && !found.isFile()) return leave('it is no plain file')
    if (file !== null && (root === null || !isBelow(file, root)))
      return leave(`it is not below ${within ?? folder}; --attachments-from names another folder`)
    if (file !== null && root !== null && within === undefined && isHidden(relative(root, file)))
      return leave('it is hidden; --attachments-from names a folder that such files may come from')
    const bytes = found?.size ?? Buffer.byteLength(base64, 'base64')
    if (bytes > MAX_FILE) return leave(`it has more than ${MAX_FILE} bytes`)
    if (size + bytes > MAX_ALL) return leave(`all files have more than ${MAX_ALL} bytes`)
    count += 1
    size += bytes
    return (file === null ? Buffer.from(base64, 'base64') : readFileSync(file)).toString('base64')
  }

  const stepIn =
    (folder: string) =>
    ({ files, ...step }: Step) => ({
      ...step,
      attachments: files.flatMap((file) => {
        const base64 = contentOf(folder, file)
        const { name, contentType } = file
        return base64 === null ? [] : [{ name: basename(name), contentType, base64 }]
      }),
    })
  const attached = reports.map(({ scenarios, folder }) => {
    const stepOf = stepIn(folder)
    return scenarios.map((scenario) => ({
      ...scenario,
      tries: scenario.tries.map((tried) => ({ ...tried, steps: tried.steps.map(stepOf) })),
      steps: scenario.steps.map(stepOf),
    }))
  })
  return { attached, leftOut }
}

/** An existing path with all links resolved; null for whatever else a report names. */
function realPathOf(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

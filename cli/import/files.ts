import { readFile, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { NamedFile, Scenario, Step } from './scenario.ts'

/** What the product takes of one file (its default of ATTACHMENT_BYTES), and of all: Base64 of them fits into a request of 16 MiB. */
const MAX_FILE = 5 * 1024 * 1024
const MAX_ALL = 10 * 1024 * 1024
const MAX_FILES = 200

/** Reads the files that steps name. @returns scenarios as the interface takes them, and why files are left out */
export async function withFiles(scenarios: readonly Scenario[], folder: string) {
  const leftOut: string[] = []
  let count = 0
  let size = 0

  const contentOf = async ({ name, path, base64 }: NamedFile): Promise<Buffer | null> => {
    const shown = path ?? name
    const leave = (reason: string) => {
      leftOut.push(`${shown} is not attached: ${reason}`)
      return null
    }
    if (count === MAX_FILES) return leave(`an execution has ${MAX_FILES} files at most`)
    const file = path === null ? null : resolve(folder, path)
    const found = file === null ? null : await stat(file).catch(() => null)
    if (file !== null && !found?.isFile()) return leave('there is no such file')
    const bytes = found?.size ?? Buffer.byteLength(base64 ?? '', 'base64')
    if (bytes > MAX_FILE) return leave(`it has more than ${MAX_FILE} bytes`)
    if (size + bytes > MAX_ALL) return leave(`all files have more than ${MAX_ALL} bytes`)
    count += 1
    size += bytes
    return file === null ? Buffer.from(base64 ?? '', 'base64') : readFile(file)
  }

  const stepOf = async ({ files, ...step }: Step) => {
    const attachments: object[] = []
    for (const file of files) {
      const content = await contentOf(file)
      const kind = file.contentType === undefined ? {} : { contentType: file.contentType }
      if (content)
        attachments.push({
          name: basename(file.name),
          ...kind,
          base64: content.toString('base64'),
        })
    }
    return { ...step, attachments }
  }
  const stepsOf = async (steps: readonly Step[]) => {
    const all: object[] = []
    for (const step of steps) all.push(await stepOf(step))
    return all
  }

  const attached: object[] = []
  for (const scenario of scenarios) {
    const tries: object[] = []
    for (const tried of scenario.tries) tries.push({ ...tried, steps: await stepsOf(tried.steps) })
    attached.push({ ...scenario, tries, steps: await stepsOf(scenario.steps) })
  }
  return { attached, leftOut }
}

import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { NamedFile, Scenario, Step } from './scenario.ts'

/** Reads the files that steps name. @returns scenarios as the interface takes them, and the files that cannot be read */
export async function withFiles(scenarios: readonly Scenario[], folder: string) {
  const missing: string[] = []
  const fileOf = async ({ name, contentType, path, base64 }: NamedFile) => {
    const kind = contentType === undefined ? {} : { contentType }
    if (path === null) return [{ name, ...kind, base64: base64 ?? '' }]
    const content = await readFile(resolve(folder, path)).catch(() => null)
    if (content) return [{ name: basename(name), ...kind, base64: content.toString('base64') }]
    missing.push(path)
    return []
  }
  const stepOf = async ({ files, ...step }: Step) => ({
    ...step,
    attachments: (await Promise.all(files.map(fileOf))).flat(),
  })
  const attached = await Promise.all(
    scenarios.map(async (scenario) => ({
      ...scenario,
      steps: await Promise.all(scenario.steps.map(stepOf)),
    })),
  )
  return { attached, missing }
}

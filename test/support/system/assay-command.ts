import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Assay } from '../assay.ts'

const run = promisify(execFile)

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** A git repository of a new user, with the one file that the product serves. */
export interface Repository {
  folder: string
  /** Environment of the command. */
  env: Readonly<Record<string, string>>
  /** Runs the command to its end. */
  assay(args: readonly string[], env?: Record<string, string>): Promise<Ended>
  /** Runs a program to its end. */
  run(program: string, args: readonly string[], env?: Record<string, string>): Promise<Ended>
  write(name: string, content: string | Uint8Array): string
  read(name: string): string
  edit(name: string, from: string, to: string): void
  remove(): void
}

/** @param settings what the command gets besides the address, such as a token @param command its text; the product serves it if absent */
export async function newRepository(
  { url }: Pick<Assay, 'url'>,
  settings: Record<string, string> = {},
  command?: string,
): Promise<Repository> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-command-'))
  const env = { PATH: process.env.PATH ?? '', HOME: folder, ASSAY_URL: url, ...settings }
  const start: Repository['run'] = (program, args, more = {}) =>
    run(program, [...args], { cwd: folder, env: { ...env, ...more } }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code: Number(code), stdout, stderr }),
    )
  const at = (name: string) => join(folder, name)
  const repository: Repository = {
    folder,
    env,
    assay: (args, more) => start(process.execPath, ['assay.mjs', ...args], more),
    run: start,
    write(name, content) {
      mkdirSync(dirname(at(name)), { recursive: true })
      writeFileSync(at(name), content)
      return name
    },
    read: (name) => readFileSync(at(name), 'utf8'),
    edit: (name, from, to) =>
      writeFileSync(at(name), readFileSync(at(name), 'utf8').replace(from, to)),
    remove: () => rmSync(folder, { recursive: true }),
  }
  repository.write('assay.mjs', command ?? (await served(url)))
  await start('git', ['init', '--quiet'])
  return repository
}

async function served(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/assay.mjs`)
  expect(answer.headers.get('content-type')).toMatch('javascript')
  return answer.text()
}

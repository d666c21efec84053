import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import type { Env } from './env.ts'
import { fileVariableOf } from './setting.ts'
import { VARIABLES, type Variables } from './variables.ts'

/** Folders in which Docker and Kubernetes put secrets of a container. */
const SECRET_FOLDERS = ['/run/secrets', '/var/run/secrets']

/** Kubernetes replaces it to rotate the files of a folder, which are links into it. */
const KUBERNETES_VERSION = '..data'

const SECRETS = (Object.keys(VARIABLES) as (keyof Variables)[]).filter(
  (name) => VARIABLES[name].isSecret,
)

/**
 * Files and folders with secrets of this process, which programs of users must not see.
 * @param env names files of secrets
 * @param dataDir of the embedded database; null without one
 */
export function secretPaths(env: Env, dataDir: string | null): string[] {
  const named = [...SECRETS.map((name) => env[fileVariableOf(name)]), env.TLS_KEY_FILE]
  const files = named.flatMap((file) => (file ? [wholeRotation(file)] : []))
  return [...new Set([...SECRET_FOLDERS, ...files, ...(dataDir === null ? [] : partsOf(dataDir))])]
}

const wholeRotation = (file: string): string =>
  existsSync(join(dirname(file), KUBERNETES_VERSION)) ? dirname(resolve(file)) : resolve(file)

/** Folders of runs are temporary files: they stay visible also where those lie in the data folder. */
const partsOf = (dataDir: string): string[] =>
  relative(dataDir, tmpdir()).startsWith('..')
    ? [resolve(dataDir)]
    : ['keys.json', 'postgres'].map((name) => resolve(dataDir, name))

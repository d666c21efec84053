import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { pathOf } from '../support/system/programs.ts'
import type { Service } from './compose-file.ts'

/** A container of the product. */
export interface Container {
  isRunning(): boolean
  /** Everything it wrote. */
  output(): string
  /** @returns its exit code */
  stop(): Promise<number | null>
}

const HEALTHY_MS = 240_000
const ROOT = new URL('../..', import.meta.url)

/** Folder of a container's secrets in Docker. */
export const SECRETS = '/run/secrets'
/** The user of the Dockerfile. */
const USER = 1000
const NODE = '/opt/node'
/** Debian's programs and libraries stand in for those of the image. */
const SYSTEM = ['/bin', '/etc', '/lib', '/lib64', '/sbin', '/usr']
/** As Docker mounts them. */
const MASKED = ['/proc/acpi', '/proc/kcore', '/proc/keys', '/proc/timer_list', '/sys/firmware']
const READ_ONLY = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger']

/**
 * Runs a service as Docker does, by the same runtime (runc): its user, its read-only root, its capabilities and its
 * security options. Its network is this machine's, and its control group ours.
 * @param image the folder that becomes /app
 * @param secrets the folder of the files that the service may name as secrets
 */
export function runContainer(
  service: Service,
  env: Readonly<Record<string, string>>,
  image: string,
  secrets: string,
): Container {
  if (process.getuid?.() !== 0) throw new Error('Containers need root: run this test as root')
  const id = `assay-${randomUUID()}`
  const bundle = join(image, id)
  mkdirSync(join(bundle, 'rootfs'), { recursive: true })
  writeFileSync(
    join(bundle, 'config.json'),
    JSON.stringify(specification(service, env, { image, secrets, rootfs: join(bundle, 'rootfs') })),
  )
  const child: ChildProcess = spawn(
    pathOf('runc'),
    ['--root', join(image, 'runc'), 'run', '--bundle', bundle, id],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const exited = once(child, 'exit')
  return {
    isRunning: () => child.exitCode === null,
    output: () => output,
    async stop() {
      child.kill('SIGTERM')
      await exited
      return child.exitCode
    },
  }
}

/** @see https://github.com/opencontainers/runtime-spec/blob/main/config.md */
function specification(
  { command = [], read_only, cap_drop = [], security_opt = [], tmpfs = [], secrets = [] }: Service,
  env: Readonly<Record<string, string>>,
  folders: { image: string; secrets: string; rootfs: string },
) {
  if (cap_drop.join() !== 'ALL') throw new Error(`Capabilities are kept: all but ${cap_drop}`)
  const bind = (source: string, destination = source) => ({
    ...{ source, destination, type: 'bind', options: ['rbind', 'ro', 'nosuid', 'nodev'] },
  })
  const profile = security_opt.find((option) => option.startsWith('seccomp='))?.split('=')[1]
  return {
    ociVersion: '1.0.2',
    process: {
      user: { uid: USER, gid: USER },
      args: inImage(command),
      env: Object.entries({ PATH: '/usr/bin:/bin', ...env }).map(
        ([name, value]) => `${name}=${value}`,
      ),
      cwd: '/app',
      capabilities: {},
      noNewPrivileges: security_opt.includes('no-new-privileges:true'),
    },
    root: { path: folders.rootfs, readonly: read_only ?? false },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755'] },
      ...tmpfs.map((destination) => ({
        ...{ destination, type: 'tmpfs', source: 'tmpfs' },
        options: ['nosuid', 'nodev', 'noexec', 'mode=1777'],
      })),
      ...SYSTEM.map((folder) => bind(folder)),
      bind(process.execPath, NODE),
      bind(folders.image, '/app'),
      ...secrets.map((name) => bind(join(folders.secrets, name), `${SECRETS}/${name}`)),
    ],
    linux: {
      namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
      maskedPaths: MASKED,
      readonlyPaths: READ_ONLY,
      ...(profile ? { seccomp: JSON.parse(readFileSync(new URL(profile, ROOT), 'utf8')) } : {}),
    },
  }
}

/** Repeats a health check until it exits with 0, as Docker does. */
export async function untilHealthy([kind, ...command]: readonly string[], of: Container) {
  if (kind !== 'CMD') throw new Error(`A health check of an unexpected kind: ${kind}`)
  const [program = '', ...args] = command
  const deadline = Date.now() + HEALTHY_MS
  for (;;) {
    try {
      return await promisify(execFile)(program === 'node' ? process.execPath : program, args)
    } catch (error) {
      if (Date.now() > deadline || !of.isRunning())
        throw new Error(`Not healthy: ${error}\n${of.output()}`)
      await delay(100)
    }
  }
}

const inImage = (command: readonly string[]) =>
  command.map((word, index) => (index === 0 && word === 'node' ? NODE : word))

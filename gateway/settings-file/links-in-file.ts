import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { LinkOptions } from '../federation/index.ts'
import { type HeaderRule, ownHeader } from './header-rules.ts'
import { RULE_KINDS } from './schema.ts'

/** Settings in the file for one subgraph, or for all. */
export interface LinkSettings {
  url?: string
  timeout?: string
  silence?: string
  retries?: number
  connections?: number
  breaker?: { failures?: number; pause?: string }
  tls?: { ca?: string; certificate?: string; key?: string }
  headers?: { request?: HeaderRule[]; response?: HeaderRule[] }
  subscriptions?: { protocol?: 'websocket' | 'sse'; path?: string }
}

/** Settings of one subgraph, those for all included. */
export interface SubgraphSettings extends LinkOptions {
  request: readonly HeaderRule[]
  response: readonly HeaderRule[]
}

/** Place in the file. */
export type Path = readonly (string | number)[]

interface Content {
  all?: LinkSettings
  subgraphs?: Record<string, LinkSettings>
}

interface Link {
  settings: SubgraphSettings
  faults: { path: Path; fault: string }[]
}

/** Settings for all, and those of each subgraph over them. */
export function linksIn({ all = {}, subgraphs = {} }: Content, folder: string): Link[] {
  const first = linkOf({}, all, ['all'], folder)
  const { tls } = first.settings
  return [
    first,
    ...Object.entries(subgraphs).map(([name, own]) =>
      linkOf(all, own, ['subgraphs', name], folder, tls),
    ),
  ]
}

/** @param inherited what is read already */
function linkOf(
  all: LinkSettings,
  own: LinkSettings,
  path: Path,
  folder: string,
  inherited?: LinkOptions['tls'],
): Link {
  const faults: Link['faults'] = []
  const report = (at: Path, fault: string) => faults.push({ path: [...path, ...at], fault })
  for (const direction of ['request', 'response'] as const)
    for (const [index, rule] of (own.headers?.[direction] ?? []).entries())
      for (const fault of ruleFaults(rule, direction)) report(['headers', direction, index], fault)
  const tls = own.tls ? tlsOf({ ...all.tls, ...own.tls }, folder, report) : inherited
  const { subscriptions, url } = { ...all, ...own }
  const breaker = { ...all.breaker, ...own.breaker }
  const { timeout, silence, retries, connections } = { ...all, ...own }
  const settings: SubgraphSettings = {
    ...(url && { url }),
    ...(timeout && { timeoutMs: msOf(timeout) }),
    ...(silence && { silenceMs: msOf(silence) }),
    ...(retries !== undefined && { retries }),
    ...(connections && { connections }),
    ...(breaker.failures && { failuresInARow: breaker.failures }),
    ...(breaker.pause && { probePauseMs: msOf(breaker.pause) }),
    ...(tls && { tls }),
    ...(subscriptions && { subscriptions: { ...all.subscriptions, ...subscriptions } }),
    request: [...(all.headers?.request ?? []), ...(own.headers?.request ?? [])],
    response: [...(all.headers?.response ?? []), ...(own.headers?.response ?? [])],
  }
  return { settings, faults }
}

function ruleFaults(rule: HeaderRule, direction: 'request' | 'response'): string[] {
  const faults: string[] = []
  const kind = (Object.keys(RULE_KINDS) as (keyof typeof RULE_KINDS)[]).find((name) => name in rule)
  const known: readonly string[] = kind ? [kind, ...RULE_KINDS[kind]] : []
  for (const name of Object.keys(rule))
    if (!known.includes(name)) faults.push(`${name} has no meaning beside ${kind}`)
  for (const name of [rule.propagate, rule.as, rule.insert]) {
    const fault = name && ownHeader(name, direction === 'response')
    if (fault) faults.push(fault)
  }
  if (kind === 'insert' && (rule.value === undefined) === (rule.claim === undefined))
    faults.push(`insert needs ${direction === 'request' ? 'either value or claim' : 'value'}`)
  if (/[^\t\x20-\x7e]/.test((rule.value ?? '') + (rule.default ?? '')))
    faults.push('a header has visible characters of ASCII alone')
  return faults
}

function tlsOf(
  { ca, certificate, key }: NonNullable<LinkSettings['tls']>,
  folder: string,
  report: (at: Path, fault: string) => void,
): NonNullable<LinkOptions['tls']> {
  const read = (name: string, file: string, parse: (pem: string) => unknown) => {
    try {
      const pem = readFileSync(resolve(folder, file), 'utf8')
      parse(pem)
      return pem
    } catch (error) {
      report(['tls', name], `${file} cannot be used: ${(error as Error).message}`)
      return ''
    }
  }
  const isCertificate = (pem: string) => new X509Certificate(pem)
  if ((certificate === undefined) !== (key === undefined))
    report(['tls'], 'certificate and key need each other')
  const own = {
    ...(certificate && { cert: read('certificate', certificate, isCertificate) }),
    ...(key && { key: read('key', key, createPrivateKey) }),
  }
  if (
    own.cert &&
    own.key &&
    !new X509Certificate(own.cert).checkPrivateKey(createPrivateKey(own.key))
  )
    report(['tls', 'key'], 'it is not the key of the certificate')
  return { ...(ca && { ca: read('ca', ca, isCertificate) }), ...own }
}

const UNITS = { ms: 1, s: 1_000, m: 60_000 } as const

export function msOf(duration: string): number {
  const [, amount, unit] = /^(\d+)(ms|s|m)$/.exec(duration) ?? []
  return Number(amount) * UNITS[unit as keyof typeof UNITS] // as the schema has it
}

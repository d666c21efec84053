import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Ajv, type ErrorObject } from 'ajv'
import { isNode, LineCounter, parseDocument } from 'yaml'
import { parseYaml } from '../../formats/yaml.ts'
import { ConfigError, type Env } from '../../platform/settings/env.ts'
import type { LinkOptions } from '../federation/index.ts'
import { type HeaderRule, ownHeader } from './header-rules.ts'
import { RULE_KINDS, SETTINGS_FILE_SCHEMA } from './schema.ts'

/** What holds for one subgraph, or for all. */
interface LinkSettings {
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

interface Content {
  supergraph?: string
  settings?: Record<string, string | number | boolean>
  all?: LinkSettings
  subgraphs?: Record<string, LinkSettings>
  overrideLabels?: Record<string, boolean | number>
}

/** What the file says of one subgraph, those for all included. */
export interface SubgraphSettings extends LinkOptions {
  request: readonly HeaderRule[]
  response: readonly HeaderRule[]
}

/** A file of settings, with the files that it names. */
export interface SettingsFile {
  /** Other settings, by their names in the table. */
  env: Env
  of(subgraph: string): SubgraphSettings
  /** Subgraphs that the file has settings for. */
  named: readonly string[]
  /** Every rule for requests. */
  requestRules: readonly HeaderRule[]
  readsResponses: boolean
  labels: Readonly<Record<string, boolean | number>>
  /** Equal for files that say the same, those that they name included. */
  key: string
}

const ajv = new Ajv({
  allErrors: true,
  coerceTypes: true,
  allowUnionTypes: true,
  validateSchema: false,
  formats: { regex: { validate: isExpression } },
})

function isExpression(text: string): boolean {
  try {
    return new RegExp(text) !== null
  } catch {
    return false
  }
}

type Path = readonly (string | number)[]

/** @throws ConfigError that lists every fault with its place */
export function readSettingsFile(file: string, env: Env): SettingsFile {
  const text = textOf(file)
  const faults: { path: Path; fault: string }[] = []
  const given = replaced(contentOf(file, text), env, (path, fault) => faults.push({ path, fault }))
  const validate = ajv.compile<Content>(SETTINGS_FILE_SCHEMA)
  for (const { path } of faults) remove(given, path)
  if (!validate(given)) {
    const found = described(validate.errors ?? [])
    for (const { path } of found) remove(given, path)
    faults.push(...found)
  }
  const content = given as Content // valid, as what is not was taken out
  const links = linksIn(content, dirname(file))
  for (const { faults: found } of links) faults.push(...found)
  if (faults.length > 0) {
    const place = placesIn(text)
    throw new ConfigError(faults.map(({ path, fault }) => `${file}${place(path)}: ${fault}`))
  }
  const [all, ...others] = links.map(({ settings }) => settings) as [SubgraphSettings]
  const names = Object.keys(content.subgraphs ?? {})
  const byName = new Map(names.map((name, at) => [name, others[at] ?? all]))
  const everyOne = [all, ...others]
  const { supergraph, settings = {} } = content
  return {
    env: {
      ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])),
      ...(supergraph && {
        SUPERGRAPH: /^https?:/.test(supergraph) ? supergraph : resolve(dirname(file), supergraph),
      }),
    },
    of: (subgraph) => byName.get(subgraph) ?? all,
    named: names,
    requestRules: everyOne.flatMap(({ request }) => request),
    readsResponses: everyOne.some(({ response }) => response.length > 0),
    labels: content.overrideLabels ?? {},
    key: JSON.stringify([content, everyOne]),
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigError([`GATEWAY_CONFIG=${file} cannot be read: ${(error as Error).message}`])
  }
}

function contentOf(file: string, text: string): unknown {
  try {
    return parseYaml(text, file) ?? {}
  } catch (error) {
    throw new ConfigError([(error as Error).message])
  }
}

/** Takes a faulty value out, so that the rest can be checked. */
function remove(from: unknown, [key = '', ...below]: Path): void {
  if (typeof from !== 'object' || from === null) return
  const holder = from as Record<string, unknown>
  if (below.length > 0) remove(holder[key], below)
  else if (Array.isArray(from)) holder[key] = {}
  else delete holder[key]
}

const ENV = /\{env\.(\w+)\}/g

/** The value with the environment in place of `{env.NAME}`. */
function replaced(
  value: unknown,
  env: Env,
  report: (path: Path, fault: string) => void,
  path: Path = [],
): unknown {
  if (value === null && path.length > 0) report(path, 'it has no value')
  if (typeof value === 'string')
    return value.replace(ENV, (_, name: string) => {
      if (env[name] === undefined) report(path, `the environment has no ${name}`)
      return env[name] ?? ''
    })
  if (Array.isArray(value))
    return value.map((item, index) => replaced(item, env, report, [...path, index]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, replaced(each, env, report, [...path, key])]),
  )
}

/** Of a choice that fits no branch, the choice is named and not each branch. */
const described = (errors: readonly ErrorObject[]) =>
  errors
    .filter(({ schemaPath }) => !/\/oneOf\/\d/.test(schemaPath))
    .map(({ instancePath, keyword, params, message = '' }) => {
      const path = instancePath.split('/').slice(1).map(unescaped)
      if (keyword === 'additionalProperties')
        return { path: [...path, params.additionalProperty], fault: 'no such attribute' }
      if (keyword === 'oneOf')
        return { path, fault: `expected exactly one of ${Object.keys(RULE_KINDS).join(', ')}` }
      if (keyword === 'enum')
        return { path, fault: `expected one of ${params.allowedValues.join(', ')}` }
      return { path, fault: `it ${HINTS[String(params.pattern)] ?? message}` }
    })

const HINTS: Readonly<Record<string, string>> = {
  '^[1-9]\\d{0,6}(ms|s|m)$': 'must be a duration such as 500ms, 30s or 2m',
  "^[!#$%&'*+.^_`|~\\w-]+$": 'must be the name of a header',
  '^https?://': 'must be an address with http or https',
  '^/': 'must be a path that begins with /',
}

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** Says where in the text something stands; of what is not there, what it would stand in. */
function placesIn(text: string): (path: Path) => string {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter })
  return (path) => {
    let range: readonly number[] | undefined | null
    for (let length = path.length; length > 0 && !range; length--) {
      const node = document.getIn(path.slice(0, length).map(numbered), true)
      if (isNode(node)) range = node.range
    }
    const place = range ? `:${lineCounter.linePos(range[0] ?? 0).line}` : ''
    return `${place} ${path.join('.')}`.trimEnd()
  }
}

const numbered = (part: string | number) => (/^\d+$/.test(String(part)) ? Number(part) : part)

interface Link {
  settings: SubgraphSettings
  faults: { path: Path; fault: string }[]
}

/** Those for all, and those of each subgraph over them. */
function linksIn({ all = {}, subgraphs = {} }: Content, folder: string): Link[] {
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

function msOf(duration: string): number {
  const [, amount, unit] = /^(\d+)(ms|s|m)$/.exec(duration) ?? []
  return Number(amount) * UNITS[unit as keyof typeof UNITS] // as the schema has it
}

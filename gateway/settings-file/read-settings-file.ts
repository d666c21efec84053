import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Ajv, type ErrorObject } from 'ajv'
import { isNode, LineCounter, parseDocument } from 'yaml'
import { parseYaml } from '../../formats/yaml.ts'
import { ConfigError, type Env } from '../../platform/settings/env.ts'
import type { AuthorizationSettings } from '../authorization/authorization.ts'
import type { CacheHints } from '../federation/index.ts'
import type { HeaderRule } from './header-rules.ts'
import {
  type LinkSettings,
  linksIn,
  msOf,
  type Path,
  type SubgraphSettings,
} from './links-in-file.ts'
import { RULE_KINDS, SETTINGS_FILE_SCHEMA } from './schema.ts'

interface Content {
  supergraph?: string
  settings?: Record<string, string | number | boolean>
  all?: LinkSettings
  subgraphs?: Record<string, LinkSettings>
  overrideLabels?: Record<string, boolean | number>
  cacheHints?: CacheHints['scope']
  authorization?: {
    onDenied?: 'filter' | 'reject'
    policies?: { url: string; timeout?: string; cache?: string; token?: string }
  }
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
  cacheHints: CacheHints['scope'] | undefined
  labels: Readonly<Record<string, boolean | number>>
  authorization: AuthorizationSettings
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
  const isMatching = links.some(({ settings }) => settings.request.some((rule) => rule.matching))
  if (content.cacheHints && isMatching) faults.push({ path: ['cacheHints'], fault: NO_PATTERNS })
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
    cacheHints: content.cacheHints,
    labels: content.overrideLabels ?? {},
    authorization: authorizationOf(content),
    key: JSON.stringify([content, everyOne]),
  }
}

const NO_PATTERNS =
  'rules of requests with `matching` leave open by which headers caches must tell responses apart: name each header by `propagate`'

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigError([`GATEWAY_CONFIG=${file} cannot be read: ${(error as Error).message}`])
  }
}

function contentOf(file: string, text: string): unknown {
  try {
    const content = parseYaml(text, file)
    if (content !== null) return content
  } catch (error) {
    throw new ConfigError([(error as Error).message])
  }
  // An editor that writes in two steps must not have all settings forgotten in between.
  throw new ConfigError([`${file} is empty`])
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

/** Describes errors; a choice that fits no branch is named as one, not by each branch. */
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

function authorizationOf({ authorization = {} }: Content): AuthorizationSettings {
  const { onDenied, policies } = authorization
  if (!policies) return { rejects: onDenied === 'reject' }
  const { timeout, cache, ...webhook } = policies
  return {
    rejects: onDenied === 'reject',
    policies: {
      ...webhook,
      ...(timeout && { timeoutMs: msOf(timeout) }),
      ...(cache && { cacheMs: msOf(cache) }),
    },
  }
}

import { parseArgs } from 'node:util'
import { split } from 'shlex'
import { badInput } from '../errors.ts'
import { exactJson } from '../json/exact-number.ts'
import { parseExact } from '../json/json.ts'
import { idOf, literal, type RequestStep, withoutSecrets } from './http-request.ts'

const TEXT = { type: 'string' } as const
const TEXTS = { type: 'string', multiple: true } as const
const FLAG = { type: 'boolean' } as const

/** Options that make the request. */
const REQUEST = {
  request: { ...TEXT, short: 'X' },
  url: TEXT,
  header: { ...TEXTS, short: 'H' },
  data: { ...TEXTS, short: 'd' },
  'data-ascii': TEXTS,
  'data-binary': TEXTS,
  'data-raw': TEXTS,
  'data-urlencode': TEXTS,
  json: TEXTS,
  form: { ...TEXTS, short: 'F' },
  get: { ...FLAG, short: 'G' },
  head: { ...FLAG, short: 'I' },
  cookie: { ...TEXT, short: 'b' },
  user: { ...TEXT, short: 'u' },
  'user-agent': { ...TEXT, short: 'A' },
  referer: { ...TEXT, short: 'e' },
} as const

/** Options about how curl itself works. */
const IGNORED = {
  ...{ silent: { ...FLAG, short: 's' }, 'show-error': { ...FLAG, short: 'S' } },
  ...{ location: { ...FLAG, short: 'L' }, insecure: { ...FLAG, short: 'k' } },
  ...{ fail: { ...FLAG, short: 'f' }, 'fail-with-body': FLAG, compressed: FLAG },
  ...{ verbose: { ...FLAG, short: 'v' }, include: { ...FLAG, short: 'i' }, 'http1.1': FLAG },
  ...{ http2: FLAG, globoff: { ...FLAG, short: 'g' }, 'no-buffer': { ...FLAG, short: 'N' } },
  ...{ output: { ...TEXT, short: 'o' }, 'write-out': { ...TEXT, short: 'w' } },
  ...{ 'max-time': { ...TEXT, short: 'm' }, 'connect-timeout': TEXT, retry: TEXT },
  ...{ proxy: { ...TEXT, short: 'x' }, cacert: TEXT, 'retry-delay': TEXT },
} as const

/** Headers that steps write themselves, and those by which browsers tell each other apart. */
const OWN = /^(host|connection|content-length|accept-encoding|priority|dnt|sec-.*)$/i
const FORM = 'application/x-www-form-urlencoded'

interface CurlRequest extends RequestStep {
  /** Scheme and host. */
  origin: string
  /** True if it signs in with a user and a password, which are the host credentials of the run. */
  signsIn: boolean
}

/** Reads a command line of curl, as browsers and documents have it. @throws AppError */
export function readCurl(text: string): CurlRequest {
  const words = wordsOf(text)
  if (!/^(.*\/)?curl(\.exe)?$/.test(words[0] ?? ''))
    throw badInput('It is no command line of curl: expected curl and a URL')
  const { values, positionals } = parsed(words.slice(1))
  const [given = values.url, ...more] = positionals
  if (given === undefined || more.length > 0)
    throw badInput(`The command line of curl has ${given ? 'several URLs' : 'no URL'}: give one`)
  if (values.form)
    throw badInput(
      '-F sends a form of several parts, which http steps do not: give the body with --data',
    )
  const url = addressOf(given)
  const body = bodyOf(values)
  if (values.get && body !== null)
    url.search = [url.search.slice(1), body].filter(Boolean).join('&')
  const headers = headersOf(values)
  const sent = withoutSecrets(literal(headers))
  const asked = queryOf(url)
  const query = withoutSecrets(literal(asked.query))
  const content =
    values.get || body === null ? {} : contentOf(body, headers, values.json !== undefined)
  const hasBody = Object.keys(content).length > 0
  const method = (values.request ?? (values.head ? 'HEAD' : hasBody ? 'POST' : 'GET')).toUpperCase()
  const kept = Object.entries(sent.values).filter(
    ([name]) => !(name.toLowerCase() === 'content-type' && isImplied(headers, content)),
  )
  const path = literal(asked.path)
  const http = {
    ...(method !== (hasBody ? 'POST' : 'GET') && { method }),
    url: path,
    ...(Object.keys(query.values).length > 0 && { query: query.values }),
    ...(kept.length > 0 && { headers: Object.fromEntries(kept) }),
    ...content,
  }
  return {
    step: { id: idOf(`${method} ${url.pathname}`), http },
    secrets: [...sent.secrets, ...query.secrets],
    origin: url.origin,
    signsIn: values.user !== undefined || url.username !== '',
  }
}

/** @throws AppError for a quote that has no end */
function wordsOf(text: string): string[] {
  try {
    return split(text.replace(/\\\r?\n/g, ' ').trim())
  } catch (cause) {
    throw badInput('The command line of curl ends within a quote: take all of it', { cause })
  }
}

type Values = ReturnType<typeof parsed>['values']

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: { ...REQUEST, ...IGNORED }, allowPositionals: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw badInput(`The command line of curl cannot be read: ${error.message}`)
  }
}

/** @throws AppError */
function addressOf(given: string): URL {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`
  const url = URL.canParse(address) ? new URL(address) : null
  if (url && /^https?:$/.test(url.protocol)) return url
  throw badInput(`${given} is no address: expected http:// or https://`)
}

function headersOf(values: Values): Record<string, string> {
  const lines = [
    ...(values.json ? ['Content-Type: application/json', 'Accept: application/json'] : []),
    ...(values['user-agent'] ? [`User-Agent: ${values['user-agent']}`] : []),
    ...(values.referer ? [`Referer: ${values.referer}`] : []),
    ...(values.cookie ? [`Cookie: ${values.cookie}`] : []),
    ...(values.header ?? []),
  ]
  const pairs = lines.flatMap((line): [string, string][] => {
    const [, name = '', value = ''] = /^([^:;]+)[:;]\s*(.*)$/s.exec(line) ?? []
    return name === '' || OWN.test(name.trim()) ? [] : [[name.trim(), value.trim()]]
  })
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''))
}

/** @throws AppError for a file, which the step could not read */
function bodyOf(values: Values): string | null {
  const encoded = (values['data-urlencode'] ?? []).map((each) => {
    const [, name, value = each] = /^([^=@]*)=(.*)$/s.exec(each) ?? []
    return `${name ? `${name}=` : ''}${encodeURIComponent(value)}`
  })
  const read = ['data', 'data-ascii', 'data-binary', 'json'] as const
  const texts = read.flatMap((name) => values[name] ?? [])
  const file = texts.find((each) => each.startsWith('@'))
  if (file !== undefined)
    throw badInput(
      `The body comes from the file ${file.slice(1)}: put its text into the command line`,
    )
  const plain = values.json ? texts.join('') : [...texts, ...(values['data-raw'] ?? [])].join('&')
  const parts = [plain, ...encoded].filter((part) => part !== '')
  return parts.length > 0 || texts.length > 0 ? parts.join('&') : null
}

/** Each parameter by its name, where none comes twice. */
function queryOf(url: URL): { path: string; query: Record<string, string> } {
  const pairs = [...url.searchParams]
  const query = Object.fromEntries(pairs)
  return Object.keys(query).length === pairs.length
    ? { path: url.pathname, query }
    : { path: `${url.pathname}${url.search}`, query: {} }
}

const typeOf = (headers: Readonly<Record<string, string>>): string | undefined =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]

function contentOf(
  body: string,
  headers: Readonly<Record<string, string>>,
  isJson: boolean,
): Record<string, unknown> {
  const type = typeOf(headers) ?? FORM
  if (isJson || /[/+]json\b/i.test(type)) {
    const json = jsonOf(body)
    if (json !== undefined) return { json: literal(json) }
  }
  const pairs = [...new URLSearchParams(body)]
  const form = Object.fromEntries(pairs)
  if (type.startsWith(FORM) && body.includes('=') && Object.keys(form).length === pairs.length) {
    return { form: literal(form) }
  }
  return { text: literal(body) }
}

/** A body that is JSON, and whose numbers a file keeps. */
function jsonOf(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text)
    return exactJson(parseExact(text)) === JSON.stringify(json) ? json : undefined
  } catch {
    return undefined
  }
}

/** True if the step sends the type of its body by itself. */
const isImplied = (
  headers: Readonly<Record<string, string>>,
  { json, form }: Record<string, unknown>,
): boolean =>
  (json !== undefined && /^application\/json\b/i.test(typeOf(headers) ?? '')) || form !== undefined

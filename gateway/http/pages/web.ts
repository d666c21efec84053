import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import Negotiator from 'negotiator'
import { statusOf } from '../../../formats/errors.ts'
import type { AuthMode } from '../../../platform/settings/variables.ts'
import { nothingAt } from '../failures.ts'
import { type HttpRequest, type StreamResponse, textResponse } from '../http-message.ts'
import { type Destination, type Endpoint, readable, tidyPath } from '../router.ts'

/** Folder in which the build puts the web client. */
const FOLDER = fileURLToPath(new URL('../../../web/', import.meta.url))

/** The first folders of its addresses; the client itself routes the paths below them. */
const PAGES = [
  '/',
  ...[
    'executions',
    'events',
    'repository',
    'trends',
    'views',
    'notifications',
    'callbacks',
    'administration',
  ].flatMap(below),
  ...below('configuration'),
]

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** Encodings by the suffix of the file that has it, the smallest first. */
const SUFFIX: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz', identity: '' }

const COMMON = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' }

const PAGE_HEADERS = {
  ...COMMON,
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cache-Control': 'no-cache',
  Vary: 'Accept',
}

export interface WebSettings {
  /** Root of the REST paths. */
  root: string
  mode: AuthMode
  version: string
}

/** The documents of the web client, as its pages send them. */
export const webDocuments = async (): Promise<string[]> =>
  JSON.parse(await readFile(`${FOLDER}documents.json`, 'utf8'))

export interface WebClient {
  /** Its page under all of its addresses, for browsers alone, and the files that the page loads. */
  destinations: Destination[]
  /** Its page as NOT_FOUND. */
  elsewhere: Endpoint
}

export async function createWebClient({ root, mode, version }: WebSettings): Promise<WebClient> {
  const facts: Record<string, string> = { apiRoot: root, authMode: mode, version }
  const template = await readFile(`${FOLDER}page.html`, 'utf8')
  const html = template.replaceAll(/\{\{(\w+)\}\}/g, (_all, name) => facts[name] ?? '')
  const page = textResponse({
    status: 200,
    body: html,
    mediaType: 'text/html',
    headers: PAGE_HEADERS,
  })
  // Other clients took a wrong address.
  const handle = ({ headers, url }: HttpRequest) => {
    if (!headers.accept?.includes('text/html')) throw nothingAt(url)
    return page
  }
  const names = (await readdir(FOLDER)).filter((name) => typeOf(name) !== undefined)
  return {
    destinations: [
      ...PAGES.map((path) => readable(path, { handle })),
      ...(await Promise.all(names.map(asset))),
    ],
    elsewhere: {
      handle({ headers, url }) {
        // REST answers with JSON, whatever a client accepts, and Java's own client accepts HTML by default.
        const isRest = [root, '/v1'].some((path) => `${tidyPath(url)}/`.startsWith(`${path}/`))
        const failure = nothingAt(url)
        if (isRest || !headers.accept?.includes('application/xhtml+xml')) throw failure
        return { ...page, status: statusOf(failure.code) }
      },
    },
  }
}

/** A file whose name has the hash of its content, in memory: a build while this process runs replaces the folder. */
async function asset(name: string): Promise<Destination> {
  const bodies = new Map<string, Buffer>()
  for (const [encoding, suffix] of Object.entries(SUFFIX))
    bodies.set(encoding, await readFile(`${FOLDER}${name}${suffix}`))
  const handle = ({ headers }: HttpRequest): StreamResponse => {
    const wanted = new Negotiator({ headers }).encoding([...bodies.keys()]) ?? 'identity'
    const body = bodies.get(wanted)
    return {
      status: 200,
      headers: {
        ...COMMON,
        'Content-Type': typeOf(name) ?? '',
        'Content-Length': String(body?.length ?? 0),
        ...(wanted === 'identity' ? {} : { 'Content-Encoding': wanted }),
        'Cache-Control': 'public, max-age=31536000, immutable',
        Vary: 'Accept-Encoding',
      },
      stream: (response) => void response.end(body),
    }
  }
  return readable(`/assets/${name}`, { handle, isUnlimited: true })
}

const typeOf = (name: string): string | undefined => TYPES[name.split('.').at(-1) ?? '']

function below(name: string): string[] {
  return [`/${name}`, `/${name}/*`]
}

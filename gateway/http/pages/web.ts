import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import Negotiator from 'negotiator'
import { AppError } from '../../../schema/errors.ts'
import type { AuthMode } from '../../../subgraphs/platform/settings/variables.ts'
import { type HttpRequest, pathOf, type StreamResponse, textResponse } from '../http-message.ts'
import { type Destination, readable } from '../router.ts'

/** Where the build puts the web client. */
const FOLDER = fileURLToPath(new URL('../../../web/', import.meta.url))

/** The first folders of its addresses; the client itself routes the paths below them. */
const PAGES = [
  '/',
  ...['executions', 'events', 'repository', 'trends', 'callbacks', 'administration'].flatMap(below),
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
  /** Of the REST paths. */
  root: string
  mode: AuthMode
  version: string
}

/** The documents of the web client, as its pages send them. */
export const webDocuments = async (): Promise<string[]> =>
  JSON.parse(await readFile(`${FOLDER}documents.json`, 'utf8'))

/** The web client: its page under all of its addresses, for browsers alone, and the files that the page loads. */
export async function webDestinations({
  root,
  mode,
  version,
}: WebSettings): Promise<Destination[]> {
  const facts: Record<string, string> = { apiRoot: root, authMode: mode, version }
  const template = await readFile(`${FOLDER}page.html`, 'utf8')
  const html = template.replaceAll(/\{\{(\w+)\}\}/g, (_all, name) => facts[name] ?? '')
  const page = textResponse({
    status: 200,
    body: html,
    mediaType: 'text/html',
    headers: PAGE_HEADERS,
  })
  const handle = (request: HttpRequest) => {
    // Other clients took a wrong address.
    if (!request.headers.accept?.includes('text/html'))
      throw new AppError('NOT_FOUND', `There is nothing at ${pathOf(request.url)}`)
    return page
  }
  const names = (await readdir(FOLDER)).filter((name) => typeOf(name) !== undefined)
  return [
    ...PAGES.map((path) => readable(path, { handle })),
    ...(await Promise.all(names.map(asset))),
  ]
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

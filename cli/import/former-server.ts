import { CommandError, EXIT, usageError } from '../exit-codes.ts'
import { causeOf } from '../failures.ts'

/** An artifact as a server of the contract returns it: further fields are its own. */
export type FormerArtifact = Readonly<Record<string, unknown>> & { id: string }

export interface FormerServer {
  /** REST root, such as https://tests.example/api. */
  root: string
  /** `<name>:<password>`; without one, no sign-in. */
  login: string | undefined
  signal: AbortSignal
}

const PAGE_SIZE = 100
const PAGES = 10_000

/** Every artifact of a resource, by the routes that the contract documents. @throws CommandError */
export async function formerArtifacts(
  server: FormerServer,
  resource: string,
  token: string | null,
): Promise<FormerArtifact[]> {
  const found = new Map<string, FormerArtifact>()
  for (let page = 0; page < PAGES; page++) {
    const path = `/${resource}?pageNumber=${page}&pageSize=${PAGE_SIZE}`
    const list = await ask(server, 'GET', path, token ? { token } : {})
    if (!Array.isArray(list)) throw unreadable(server, `GET ${path}`, 'no list')
    const fresh = list.filter(isArtifact).filter(({ id }) => !found.has(id))
    for (const artifact of fresh) found.set(artifact.id, artifact)
    // A server may have smaller pages, or none at all and answer with everything again.
    if (fresh.length === 0) break
  }
  return [...found.values()]
}

/** The token of a sign-in; null without one. @throws CommandError */
export async function signIn(server: FormerServer): Promise<string | null> {
  if (!server.login) return null
  const basic = Buffer.from(server.login).toString('base64')
  const answer = await ask(server, 'POST', '/authenticate', { authorization: `Basic ${basic}` })
  const { token } = answer as { token?: unknown } // or anything else
  if (typeof token === 'string') return token
  throw unreadable(server, 'POST /authenticate', 'no token')
}

async function ask(
  { root, signal }: FormerServer,
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<unknown> {
  if (!URL.canParse(root)) throw usageError(`${root} is no URL: expected the REST root of a server`)
  const url = root.replace(/\/+$/, '') + path
  const response = await fetch(url, {
    method,
    headers: { accept: 'application/json', ...headers },
    redirect: 'manual', // its login and token stay with it
    signal,
  }).catch((error: unknown) => {
    if (signal.aborted) throw signal.reason
    throw new CommandError(EXIT.unreachable, `${url} cannot be reached: ${causeOf(error)}`)
  })
  const location = response.headers.get('location')
  if (location !== null && response.status < 400)
    throw new CommandError(
      EXIT.refused,
      `${method} ${url}: HTTP ${response.status} leads to ${location}, where the login is not sent. Name the address that answers itself`,
    )
  if (!response.ok) {
    const advice = response.status === 401 ? ' Set ASSAY_FORMER_LOGIN to <name>:<password>' : ''
    throw new CommandError(EXIT.refused, `${method} ${url}: HTTP ${response.status}.${advice}`)
  }
  return response.json().catch(() => null)
}

const unreadable = ({ root }: FormerServer, what: string, reason: string): CommandError =>
  new CommandError(EXIT.refused, `${what} of ${root} answered ${reason}: is it the REST root?`)

const isArtifact = (value: unknown): value is FormerArtifact =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'

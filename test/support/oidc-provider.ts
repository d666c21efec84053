import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jest } from '@jest/globals'
import Provider, { type Configuration } from 'oidc-provider'
import { isRecord } from '../../gateway/sign-in/is-record.ts'

/** Registration of the product, whose pages nothing serves here. */
export const CLIENT = {
  client_id: 'assay-web',
  client_secret: 'a secret of the client',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: ['http://127.0.0.1:4000/session/callback'],
}
export const ORIGIN = 'http://127.0.0.1:4000'

export interface RunningProvider {
  issuer: string
  provider: Provider
  /** Paths that were asked for. */
  asked: string[]
  stop(): void
}

/** A real provider; its own pages take any name and password. */
export async function startProvider(configuration: Configuration): Promise<RunningProvider> {
  // It warns that its keys and pages are for development.
  for (const method of ['info', 'warn'] as const)
    jest.spyOn(console, method).mockImplementation(() => {})
  // A clone of Node has other globals than a test, so the provider takes the keys of a client for no plain objects.
  const clone = globalThis.structuredClone
  jest
    .spyOn(globalThis, 'structuredClone')
    .mockImplementation((value: unknown) =>
      isRecord(value) && 'client_id' in value ? JSON.parse(JSON.stringify(value)) : clone(value),
    )
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [CLIENT],
    cookies: { keys: ['a key of the test'] },
    pkce: { required: () => true },
    issueRefreshToken: () => true,
    ...configuration,
  })
  const asked: string[] = []
  server.on('request', ({ url }) => asked.push(url ?? ''))
  // At the first request, so that tests can put something in front of it.
  let answer: ReturnType<Provider['callback']> | undefined
  server.on('request', (request, response) => {
    answer ??= provider.callback()
    return answer(request, response)
  })
  return {
    issuer,
    provider,
    asked,
    stop() {
      server.close()
      server.closeAllConnections()
      jest.restoreAllMocks()
    },
  }
}

/**
 * Signs a user in as a browser does, on the pages of the provider.
 * @param jar of a browser that has signed in there before @returns the query that it comes back with
 */
export async function signInAt(
  start: string,
  user: string,
  jar = new Map<string, string>(),
): Promise<string> {
  const send = async (url: string, body?: URLSearchParams) => {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const init = body ? { method: 'POST', body } : {}
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } })
    for (const each of response.headers.getSetCookie()) {
      const [pair = ''] = each.split(';')
      const at = pair.indexOf('=')
      jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }
  let url = start
  let response = await send(url)
  for (let hop = 0; hop < 20; hop++) {
    const location = response.headers.get('location')
    if (location) {
      const next = new URL(location, url)
      if (next.origin === ORIGIN) return next.search
      url = next.href
      response = await send(url)
      continue
    }
    const page = await response.text()
    const action = /action="([^"]+)"/.exec(page)?.[1]
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    if (!action || !prompt) throw new Error(`No form on ${url}: ${page.slice(0, 2_000)}`)
    url = new URL(action, url).href
    response = await send(url, new URLSearchParams({ prompt, login: user, password: 'any' }))
  }
  throw new Error('The provider leads nowhere')
}

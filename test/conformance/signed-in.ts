import { once } from 'node:events'
import { get } from 'node:http'
import { type Assay, startAssay } from '../_support/assay.ts'
import { Client, USERS_ENV } from '../e2e/_support/users.ts'

/** Products in which users sign in; each is started by the first check that needs it. */
const products = new Map<string, Promise<Assay>>()

async function client(key: string, env: Record<string, string>): Promise<Client> {
  const product = products.get(key) ?? startAssay({ env })
  products.set(key, product)
  return new Client((await product).url)
}

/** One that keeps accounts. */
export const withUsers = (): Promise<Client> => client('users', USERS_ENV)

/** One behind a server that signs users in and whose address is 127.0.0.1. */
export const withProxy = (): Promise<Client> =>
  client('proxy', { AUTH_MODE: 'proxy', PROXY_ADDRESSES: '127.0.0.1/32' })

/** The status of a GET that comes from another address of this machine. */
export async function statusFrom(
  localAddress: string,
  url: string,
  headers: Record<string, string>,
): Promise<number | undefined> {
  const [response] = await once(get(url, { localAddress, headers }), 'response')
  response.resume()
  return response.statusCode
}

export async function stopSignedIn(): Promise<void> {
  for (const product of products.values()) await (await product).stop()
}

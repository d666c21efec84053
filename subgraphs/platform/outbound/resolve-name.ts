import { lookup } from 'node:dns/promises'

/** Every address of a name. @throws as `node:dns` does */
export type ResolveName = (hostname: string) => Promise<string[]>

/** As the operating system resolves it: hosts file, then DNS. */
export const resolveName: ResolveName = async (hostname) =>
  (await lookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address)

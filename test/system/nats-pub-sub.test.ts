import { createLogger } from '../../platform/process/logger.ts'
import { startPubSub } from '../../platform/pub-sub/start.ts'
import { type Fabric, pubSubContract } from '../support/pub-sub-contract.ts'
import { startNatsServer } from '../support/system/nats-server.ts'

const log = createLogger('error')
const start = (natsUrl: string) => startPubSub({ natsUrl, directUrl: '' }, log)

describe('pub/sub over NATS', () => pubSubContract(openNats))

test('user and password of the address are used, and wrong ones refuse the start', async () => {
  const server = await startNatsServer(['--user', 'assay', '--pass', 'p@ss/word'])
  try {
    const withPassword = (password: string) =>
      server.url.replace('//', `//assay:${encodeURIComponent(password)}@`)
    await (await start(withPassword('p@ss/word'))).stop()
    const { host } = new URL(server.url)
    await expect(start(withPassword('wrong'))).rejects.toThrow(`NATS at ${host} cannot be used`)
  } finally {
    await server.stop()
  }
})

test('a token of the address is used, and a wrong one refuses the start', async () => {
  const server = await startNatsServer(['--auth', 's3cret/token'])
  try {
    const withToken = (token: string) => server.url.replace('//', `//${encodeURIComponent(token)}@`)
    await (await start(withToken('s3cret/token'))).stop()
    await expect(start(withToken('wrong'))).rejects.toThrow('cannot be used')
  } finally {
    await server.stop()
  }
})

test('an address without the encryption asked for refuses the start', async () => {
  const server = await startNatsServer()
  await expect(start(server.url.replace('nats:', 'tls:'))).rejects.toThrow('cannot be used')
  await server.stop()
})

test('a start waits for a server that is away', async () => {
  const server = await startNatsServer()
  await server.stop()
  const waiting = start(server.url)
  await server.restart()
  const pubSub = await waiting
  const received = new Promise((resolve) => pubSub.subscribe('topic', resolve))
  await pubSub.publish('topic', 'message')
  expect(await received).toBe('message')
  await pubSub.stop()
  await server.stop()
})

async function openNats(): Promise<Fabric> {
  const server = await startNatsServer()
  return {
    connect: () => start(server.url),
    interrupt: () => server.restart(),
    close: () => server.stop(),
  }
}

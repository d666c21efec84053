import { once } from 'node:events'
import { mkdtemp, stat } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import {
  followTrustedDocuments,
  trustedDocumentFaults,
} from '../../../gateway/operations/trusted-documents.ts'
import { RemoteText } from '../../../gateway/settings-file/remote-text.ts'
import { createLogger } from '../../../platform/process/logger.ts'
import { eventually } from '../../support/eventually.ts'

const asked: IncomingHttpHeaders[] = []
let answer: (response: ServerResponse) => void
const server = createServer((request, response) => {
  asked.push(request.headers)
  answer(response)
})
const says = (text: string, tag: string) => (response: ServerResponse) => {
  if (asked.at(-1)?.['if-none-match'] === tag) response.writeHead(304).end()
  else response.writeHead(200, { etag: tag }).end(text)
}
const fails = (response: ServerResponse) => void response.writeHead(500).end('broken')

let url: string
let folder: string
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graph?key=secret`
  folder = join(await mkdtemp(join(tmpdir(), 'assay-remote-')), 'data')
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})
const open = (pollMs = 60_000) =>
  new RemoteText({
    ...{ name: 'supergraph', url, token: 't0ken', folder, pollMs },
    log: createLogger('silent'),
  })

test('it cannot be read for the first time while its server is away', async () => {
  answer = fails
  await expect(open().read()).rejects.toThrow(
    /none was kept before: It answered with the status 500/,
  )
})

test('it is asked for with the token and the tag of the one before', async () => {
  answer = says('one', '"1"')
  const text = open()
  expect(await text.read()).toBe('one')
  expect(await text.read()).toBe('one')
  expect(asked.slice(-2)).toMatchObject([
    { authorization: 'Bearer t0ken', 'x-hive-cdn-key': 't0ken' },
    { 'if-none-match': '"1"' },
  ])
  answer = fails
  expect(await text.read()).toBe('one')
  expect(text.from).not.toContain('secret')
})

test('what could be used is kept for a start without the server, for its owner alone', async () => {
  answer = says('good', '"2"')
  const text = open()
  text.keep(await text.read())
  answer = says('not good', '"3"')
  expect(await text.read()).toBe('not good')
  answer = fails
  expect(await open().read()).toBe('good')
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

test('a change is reported once', async () => {
  answer = says('one', '"1"')
  const text = open(5)
  await text.read()
  answer = says('two', '"2"')
  const changes: string[] = []
  await new Promise<void>((resolve) => {
    const end = text.watch(() => {
      changes.push('change')
      setTimeout(() => {
        end()
        resolve()
      }, 50)
    })
  })
  expect(changes).toEqual(['change'])
  expect(await text.read()).toBe('two')
})

test('trusted documents at an address follow it; what cannot be used leaves them as they were', async () => {
  expect(trustedDocumentFaults({ TRUSTED_DOCUMENTS: url, TRUSTED_DOCUMENTS_ONLY: true })).toEqual(
    [],
  )
  const lines: { msg: string; reason?: string }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const follow = () =>
    followTrustedDocuments(
      new RemoteText({ name: 'trusted documents', url, token: undefined, folder, pollMs: 5, log }),
      ['{ own }'],
      log,
    )
  answer = says('{', '"0"')
  await expect(follow()).rejects.toThrow(/TRUSTED_DOCUMENTS=http:\S+ is no JSON/)
  answer = fails
  await expect(follow()).rejects.toThrow(/cannot be fetched, and none was kept before/)
  answer = says('{"a":"{ a }"}', '"1"')
  const documents = await follow()
  expect(documents.byId('a')).toBe('{ a }')
  answer = says('{"b":', '"2"')
  await eventually(async () => expect(lines.at(-1)?.reason).toMatch(/is no JSON/))
  expect(documents.texts).toEqual(['{ a }'])
  answer = says('{"b":"{ b }"}', '"3"')
  await eventually(async () => expect(documents.texts).toEqual(['{ b }']))
  expect(documents.byId('a')).toBeUndefined()
  expect(['{ b }', '{ own }', '{ a }'].map(documents.has)).toEqual([true, true, false])
  answer = fails
  documents.stop()
  const kept = await follow()
  kept.stop()
  expect(kept.texts).toEqual(['{ b }'])
})

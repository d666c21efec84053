import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { smtpFaults, smtpSettings } from '../../../platform/settings/smtp.ts'
import { createMailer } from '../../../subgraphs/events/notifications/mail.ts'
import type { NotificationBody } from '../../../subgraphs/events/notifications/notification.ts'

interface Received {
  to: string[]
  text: string
}

let server: SMTPServer | undefined
afterEach(() => new Promise<void>((done) => (server ? server.close(done) : done())))

/** Address → status with which the server refuses it. */
async function startServer(refusals: Record<string, number> = {}, options: SMTPServerOptions = {}) {
  const received: Received[] = []
  const started = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const status = refusals[address]
      done(status ? Object.assign(new Error('not here'), { responseCode: status }) : null)
    },
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address)
        received.push({ to, text: Buffer.concat(parts).toString() })
        done()
      })
    },
    ...options,
  })
  server = started
  started.listen(0, '127.0.0.1')
  await once(started.server, 'listening')
  const { port } = started.server.address() as AddressInfo
  return { received, refusals, url: (user = '') => `smtp://${user}127.0.0.1:${port}` }
}

const mailer = (url: string, tls?: 'required') => {
  const settings = smtpSettings({ SMTP_URL: url, SMTP_FROM: 'assay@x.test', SMTP_TLS: tls })
  if (!settings) throw new Error('no settings')
  return createMailer(settings)
}

const body: NotificationBody = {
  rule: { id: 'r 1', name: 'Critical', text: 'Call the night shift' },
  ...{ group: { 'source.ref': 'db-1' }, reason: 'first', changes: [], changesTotal: 0 },
  ...{ open: [], openTotal: 0, created: '2027-01-01T00:00:00.000Z' },
}
const mail = { messageId: 'm-1', groupId: 'g-1', body }

test('a mail is one of a thread, automatic, and has the same id in each attempt', async () => {
  const { received, url } = await startServer()
  const send = mailer(url())
  const [first, second] = [await send(mail, ['a@x.test'], {}), await send(mail, ['a@x.test'], {})]
  expect(first).toMatchObject({
    attempt: { status: 250, error: null },
    recipients: { 'a@x.test': 'taken' },
  })
  expect(second).toMatchObject({ attempt: { status: 250 } })
  for (const { text } of received)
    for (const line of [
      /^Message-ID: <m-1@x\.test>\r$/m,
      /^In-Reply-To: <g-1@x\.test>\r$/m,
      /^References: <g-1@x\.test>\r$/m,
      /^Auto-Submitted: auto-generated\r$/m,
      /^List-ID: <r-1\.x\.test>\r$/m,
      /^Subject: =\?UTF-8\?.*\r$/m,
      /^Call the night shift\r$/m,
    ])
      expect(text).toMatch(line)
  expect(received).toHaveLength(2)
})

test('recipients are judged one by one, and only those of 4xx are tried again', async () => {
  const { received, refusals, url } = await startServer({ 'grey@x.test': 451, 'gone@x.test': 550 })
  const send = mailer(url())
  const to = ['a@x.test', 'grey@x.test', 'gone@x.test']
  const first = await send(mail, to, {})
  expect(first).toMatchObject({
    attempt: { status: 451, error: expect.stringContaining('grey@x.test') },
    recipients: { 'a@x.test': 'taken', 'gone@x.test': 'refused' },
  })
  expect(first.isFinal).toBeFalsy()
  delete refusals['grey@x.test']
  const second = await send(mail, to, first.recipients)
  expect(received.map((each) => each.to)).toEqual([['a@x.test'], ['grey@x.test']])
  expect(second).toMatchObject({
    isFinal: true,
    attempt: { error: expect.stringContaining('refused') },
    recipients: { 'grey@x.test': 'taken' },
  })
})

test('where none is taken, a dead address does not hide that another one is for later', async () => {
  const { url } = await startServer({ 'grey@x.test': 451, 'gone@x.test': 550 })
  const tried = await mailer(url())(mail, ['gone@x.test', 'grey@x.test'], {})
  expect(tried).toMatchObject({
    attempt: { status: 451 },
    recipients: { 'gone@x.test': 'refused' },
  })
  expect(tried.isFinal).toBeFalsy()
})

test('a server without TLS gets no mail where TLS is required, and none without the sign-in', async () => {
  const { received, url } = await startServer({}, { disabledCommands: ['STARTTLS', 'AUTH'] })
  const plain = await mailer(url(), 'required')(mail, ['a@x.test'], {})
  expect(plain).toMatchObject({ isFinal: true, attempt: { error: expect.stringContaining('TLS') } })
  const unsigned = await mailer(url('user:secret@'))(mail, ['a@x.test'], {})
  expect(unsigned.attempt.status).not.toBe(250)
  expect(JSON.stringify(unsigned)).not.toContain('secret')
  expect(received).toEqual([])
})

test('a server that is away is for later', async () => {
  const tried = await mailer('smtp://127.0.0.1:9')(mail, ['a@x.test'], {})
  expect(tried).toMatchObject({ isFinal: false, attempt: { status: null } })
})

test.each<[string, Parameters<typeof smtpFaults>[0]]>([
  ['write smtps:', { SMTP_URL: 'smtp://h:465', SMTP_FROM: 'a@x.test' }],
  ['SMTP_URL: expected', { SMTP_URL: 'mail.example.com', SMTP_FROM: 'a@x.test' }],
  ['SMTP_FROM: expected one address', { SMTP_URL: 'smtp://h', SMTP_FROM: 'Assay' }],
  ['SMTP_FROM: expected one address', { SMTP_URL: 'smtp://h' }],
  ['SMTP_FROM needs SMTP_URL', { SMTP_FROM: 'a@x.test' }],
])('%s', (fault, given) => {
  expect(smtpFaults(given)).toEqual([expect.stringContaining(fault)])
})

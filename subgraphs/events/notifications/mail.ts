import { readFileSync } from 'node:fs'
import { createTransport } from 'nodemailer'
import type { Tried } from '../../../platform/deliveries/delivery.ts'
import { startAttempt } from '../../../platform/deliveries/post.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { SmtpSettings } from '../../../platform/settings/smtp.ts'
import type { NotificationBody } from './notification.ts'
import { linesOf, titleOf } from './text.ts'

/** Address → its last word: nothing more is sent there. */
export type Recipients = Readonly<Record<string, 'taken' | 'refused'>>

export interface Mail {
  /** The same in all attempts. */
  messageId: string
  groupId: string
  body: NotificationBody
}

/** Sends a mail once to those recipients that are not settled. */
export type SendMail = (
  mail: Mail,
  to: readonly string[],
  settled: Recipients,
) => Promise<Tried & { recipients: Recipients }>

/** Fields of nodemailer's errors and results that its types lack. */
interface SmtpFailure extends Error {
  code?: string
  responseCode?: number
  recipient?: string
  rejectedErrors?: SmtpFailure[]
}

/** Clients fold longer ones, and compare subjects to find threads. */
const MAX_SUBJECT = 120
/** Servers refuse what is much larger, after all of it was sent. */
const MAX_TEXT = 500_000

/** Settings that were found necessary: see docs/adr/0098. */
export function createMailer({ url, from, requireTls, caFile }: SmtpSettings): SendMail {
  const { protocol, hostname, port, username, password } = new URL(url)
  const host = from.slice(from.lastIndexOf('@') + 1)
  const transport = createTransport({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port && { port: Number(port) }),
    secure: protocol === 'smtps:',
    requireTLS: requireTls,
    ...(username && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      // A server that offers no sign-in would get the mail without one.
      forceAuth: true,
    }),
    ...(caFile && { tls: { ca: readFileSync(caFile, 'utf8') } }),
    name: host,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    dnsTimeout: 10_000,
  })
  return async ({ messageId, groupId, body }, to, settled) => {
    const facts = startAttempt(currentTime())
    const open = to.filter((address) => settled[address] === undefined)
    const root = `<${groupId}@${host}>`
    try {
      const { rejectedErrors = [] } = (await transport.sendMail({
        from,
        to: to.map((address) => ({ name: '', address })),
        envelope: { from, to: open },
        messageId: `<${messageId}@${host}>`,
        inReplyTo: root,
        references: root,
        subject: titleOf(body).slice(0, MAX_SUBJECT).toWellFormed(),
        text: [...linesOf(body)].join('\n').slice(0, MAX_TEXT).toWellFormed(),
        headers: {
          'Auto-Submitted': 'auto-generated',
          'List-ID': `<${body.rule.id.replaceAll(/[^A-Za-z0-9.-]/g, '-')}.${host}>`,
        },
      })) as { rejectedErrors?: SmtpFailure[] } // as nodemailer documents it
      return judged(open, settled, rejectedErrors, facts)
    } catch (error) {
      const failure = error as SmtpFailure
      if (failure.rejectedErrors?.length)
        return judged(open, settled, failure.rejectedErrors, facts)
      const status = failure.responseCode ?? null
      const isFinal = isRefusal(failure)
      return { attempt: facts(status, textOf(failure)), isFinal, recipients: settled }
    }
  }
}

/** A mail that some have taken is judged by each of the others: 4xx is for later, as greylisting is. */
function judged(
  open: readonly string[],
  settled: Recipients,
  failures: readonly SmtpFailure[],
  facts: ReturnType<typeof startAttempt>,
): Tried & { recipients: Recipients } {
  const failureOf = (address: string) => failures.find(({ recipient }) => recipient === address)
  const recipients = { ...settled }
  for (const address of open) {
    const failure = failureOf(address)
    if (!failure) recipients[address] = 'taken'
    else if (isRefusal(failure)) recipients[address] = 'refused'
  }
  const later = failures.filter((failure) => !isRefusal(failure))
  const refused = Object.values(recipients).includes('refused')
  const [worst] = [...later, ...failures]
  const text = failures.map(textOf).join('; ') || null
  if (later.length > 0) return { attempt: facts(worst?.responseCode ?? null, text), recipients }
  if (!refused) return { attempt: facts(250, null), recipients }
  const words = text ?? 'A recipient was refused in an earlier attempt'
  return { attempt: facts(worst?.responseCode ?? 550, words), isFinal: true, recipients }
}

/** By the response alone: codes of nodemailer do not tell a moment from a fault. */
const isRefusal = ({ responseCode = 0, code }: SmtpFailure): boolean =>
  responseCode >= 500 || (code === 'ETLS' && responseCode === 0) || code === 'ENOAUTH'

const HINTS: Readonly<Record<string, string>> = {
  ETLS: 'SMTP_TLS: the server offers no TLS',
  ESOCKET: 'SMTP_URL: the connection failed; a certificate of your own needs SMTP_CA',
  EAUTH: 'SMTP_URL: the server refused the sign-in',
}

function textOf({ message, code, recipient }: SmtpFailure): string {
  const hint = code && HINTS[code]
  const text = message.replaceAll(/\s+/g, ' ').slice(0, 300)
  return [recipient, hint ? `${text} (${hint})` : text].filter(Boolean).join(': ')
}

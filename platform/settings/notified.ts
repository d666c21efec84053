import type { Settings } from './setting.ts'

/** Notifications, and the mail server that sends some of them. */
export const NOTIFIED = {
  NOTIFICATIONS: {
    schema: { type: 'string', enum: ['on', 'paused'] },
    absent: '`on`; `paused` in a restored backup, until it starts with `on` once',
    meaning:
      'Whether notifications are sent. While they are `paused`, changes are taken in, and one notification of each group follows later.',
  },
  PUBLIC_URL: {
    schema: { type: 'string', format: 'origin' },
    absent: 'none: notifications hold no links',
    meaning:
      'Origin of Assay as people know it, such as `https://assay.example`. Notifications link to their events there.',
  },
  SMTP_URL: {
    schema: { type: 'string' },
    isSecret: true,
    absent: 'none: channels of e-mail deliver nothing',
    meaning:
      'Mail server of notifications: `smtp://user:password@host:587` (STARTTLS) or `smtps://user:password@host` (TLS). Special characters of the password are percent-encoded.',
  },
  SMTP_FROM: {
    schema: { type: 'string' },
    absent: 'none; required with `SMTP_URL`',
    meaning: 'Sender of e-mail: one address without a name.',
  },
  SMTP_TLS: {
    schema: { type: 'string', enum: ['required', 'opportunistic'] },
    absent: '`required`, but for a server on loopback',
    meaning:
      '`opportunistic` also sends over a connection that the server does not encrypt, with the password if there is one.',
  },
  SMTP_CA: {
    schema: { type: 'string' },
    absent: 'none: the authorities that Node knows',
    meaning: 'File with the certificate, in PEM, of the authority that the mail server goes by.',
  },
  NOTIFICATIONS_RETENTION_DAYS: {
    schema: { type: 'integer', minimum: 1, maximum: 36_500, default: 30 },
    meaning: 'Days until notifications that are not pending are deleted.',
  },
} as const satisfies Settings

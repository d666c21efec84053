import { badInput } from '../../../../formats/errors.ts'
import { checkBodyTemplate } from '../../../../platform/notification-template.ts'
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts'
import type { ArtifactKind } from '../artifact.kind.ts'

const MASK = '***'

/** The whole path may be a secret: that of an incoming webhook is. */
const shownUrl = (url: string): string => `${new URL(url).origin}/${MASK}`

/** One address that SMTP servers without SMTPUTF8 take; no name and no list. */
const ADDRESS = '^[A-Za-z0-9!#$%&\'*+/=?^_`{|}~.-]{1,64}@[^\\s@,;<>"()\\\\]{1,255}$'

/** Destination of notifications. */
export const CHANNEL: ArtifactKind = {
  name: 'channel',
  typeName: 'Channel',
  idSpace: 'channel',
  references: {},
  changeNeeds: 'channels:manage',
  isForwarded: true,
  hidden: { url: shownUrl },
  properties: {
    kind: { type: 'string', enum: ['webhook', 'slack', 'email'] },
    url: { type: 'string', maxLength: 2_048 },
    to: {
      type: 'array',
      maxItems: 50,
      uniqueItems: true,
      items: {
        type: 'string',
        pattern: ADDRESS,
        description: 'one address of e-mail in ASCII letters before its @, such as ops@example.com',
      },
      default: [],
    },
    template: { type: 'string', maxLength: 10_000 },
  },
  required: ['kind'],
  // Files name the kind of the artifact `kind`.
  async read({ channelKind, ...given }) {
    const { to } = given
    return {
      ...given,
      ...(channelKind !== undefined && { kind: channelKind }),
      ...(typeof to === 'string' && { to: [to] }),
    }
  },
  check({ kind, url, to, template }, { outbound }) {
    const isEmail = kind === 'email'
    const addresses = to as string[] // as the schema has it
    if (isEmail && addresses.length === 0) throw badInput('to: expected an address of e-mail')
    if (isEmail && url !== undefined) throw badInput('url: a channel of e-mail has none')
    if (!isEmail && addresses.length > 0) throw badInput(`to: a channel of kind ${kind} has none`)
    if (template !== undefined) {
      if (kind !== 'webhook') throw badInput(`template: a channel of kind ${kind} has none`)
      checkBodyTemplate('template', String(template))
    }
    if (isEmail) return
    if (url === undefined) throw badInput('url: it is missing')
    try {
      outbound.check(String(url))
    } catch (cause) {
      if (!(cause instanceof OutboundError)) throw cause
      throw badInput(`url: ${cause.message}`, { cause })
    }
  },
}

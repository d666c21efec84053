import { EVENTS_VARIABLES, eventsSettings } from '../../platform/settings/events-settings.ts'
import { SMTP_VARIABLES, smtpFaults, smtpSettings } from '../../platform/settings/smtp.ts'
import {
  OUTBOUND_VARIABLES,
  outboundFrom,
  runSubgraph,
} from '../../platform/subgraph/standalone.ts'
import { startEvents } from './index.ts'

const reads = [
  ...EVENTS_VARIABLES,
  ...OUTBOUND_VARIABLES,
  'SECRETS_KEY',
  'SECRETS_KEY_PREVIOUS',
  'CALLBACK_SIGNING_SECRET',
  ...SMTP_VARIABLES,
] as const

runSubgraph({ name: 'events', port: 4002, reads, faults: smtpFaults }, (shared, config) => {
  const { SECRETS_KEY: secretsKey, SECRETS_KEY_PREVIOUS: previousSecretsKey } = config
  const delivery = {
    outbound: outboundFrom(config, config.HOST),
    keys: secretsKey ? { secretsKey, previousSecretsKey } : undefined,
    signingSecret: config.CALLBACK_SIGNING_SECRET,
    smtp: smtpSettings(config),
  }
  return startEvents({ ...shared, delivery }, eventsSettings(config))
})

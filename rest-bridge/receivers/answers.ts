import type { SentEvent } from '../../formats/received/received.ts'
import type { ReceivedOutcome, Receiver, SenderResponse } from './receiver.ts'

/** Reasons that the event of refusals repeats. */
const REASONS = 10

/** The response of most receivers: senders repeat whatever is no success. */
export const answerTo = ({ accepted, errors }: ReceivedOutcome): SenderResponse => ({
  status: 200,
  body: {
    result: {
      sent: accepted.length,
      success: errors.length === 0 ? 'true' : accepted.length === 0 ? 'false' : 'partial',
      ...(accepted.length > 0 && { accepted }),
      ...(errors.length > 0 && { errors }),
    },
  },
})

/** One event for each receiver, which counts requests with something that never will be accepted. */
export const eventOfRefusals = ({ name }: Receiver, { errors }: ReceivedOutcome): SentEvent => ({
  title: `Receiver ${name} refused ${errors.length}`,
  message: [...new Set(errors.map(({ message }) => message))].slice(0, REASONS).join('\n'),
  severity: 'WARN',
  status: 'OPEN',
  source: { ref: name, type: 'receiver' },
  eventClass: 'receiver',
  properties: { receiver: name, refused: errors.length },
  fingerprintFields: ['receiver'],
})

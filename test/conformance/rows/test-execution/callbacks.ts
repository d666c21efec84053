import { inSection } from '../../row.ts'

const todo = 'test execution'

export const callbacks = inSection('TX', 'Events', [
  {
    id: 'TX-148',
    rule: 'The end of an execution MUST be posted to its callbackUrl, and only there; without one nothing is posted.',
    todo,
  },
  {
    id: 'TX-149',
    rule: 'The body of a callback MUST be exactly what GET /result/{resultId} gives.',
    todo,
  },
  {
    id: 'TX-150',
    rule: 'A callback MUST carry webhook-id (the same in every attempt), webhook-timestamp and webhook-signature.',
    todo,
  },
  {
    id: 'TX-151',
    rule: 'An answer of 2xx MUST count as delivered and 410 as the end; anything else, a redirect or 10 s of silence is tried again.',
    todo,
  },
  {
    id: 'TX-152',
    rule: 'Attempts MUST be spread over about 5 s, 30 s, 2 min, 10 min, 30 min, 2 h and 8 h, then the callback is dead: listed and re-deliverable.',
    todo,
  },
])

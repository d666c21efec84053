import { buildSchema, parse } from 'graphql'
import { selectsOnly } from '../../../gateway/federation/operation/shared-selection.ts'
import { isShared, sharedCaller } from '../../../platform/access/sharing.ts'

const SCHEMA = buildSchema(`
  type Query { none: Boolean }
  type Subscription { eventReceived: EventOccurrence executionUpdated: ExecutionUpdate cameLater: Event }
  type EventOccurrence { event: Event }
  type Event { title: String execution: ExecutionResult owner: Viewer unknown: NewType }
  type ExecutionUpdate { execution: ExecutionResult }
  type ExecutionResult { id: ID! callbackDeliveries: [CallbackDelivery] }
  type CallbackDelivery { id: ID! }
  type Viewer { user: String }
  type NewType { id: ID! }`)

test.each([
  ['{ eventReceived { event { title __typename execution { id } } } }', true],
  ['{ executionUpdated { execution { id } } }', true],
  ['{ ...F } fragment F on Subscription { eventReceived { event { title } } }', true],
  ['{ eventReceived { event { owner { user } } } }', false],
  ['{ eventReceived { event { unknown { id } } } }', false],
  ['{ executionUpdated { execution { callbackDeliveries { id } } } }', false],
  ['{ cameLater { title } }', false],
])('subscription %s may be shared by users: %s', (source, expected) => {
  expect(
    selectsOnly(SCHEMA, parse(`subscription ${source}`), {
      isShared,
      callerOf: sharedCaller,
    }),
  ).toBe(expected)
})

test('who stands for all with the same permissions is none of them', () => {
  const ada = {
    requestId: 'r',
    user: 'ada',
    account: 'a',
    session: 's',
    address: '::1',
    expiresAt: 1,
    permissions: ['events:read'],
  } as const
  expect(sharedCaller(ada)).toEqual({
    requestId: 'r',
    user: 'A signed-in user',
    permissions: ['events:read'],
  })
  expect(sharedCaller({ requestId: 'r', user: null, permissions: [] }).user).toBeNull()
  const refused = { ...ada, refusal: { code: 'FORBIDDEN', message: 'no' } } as const
  expect(sharedCaller(refused)).toBe(refused)
})

import { readdirSync, readFileSync } from 'node:fs'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { type GraphQLSchema, isObjectType, parse } from 'graphql'
import type { Caller } from '../../../platform/access/caller.ts'
import { guard, ruledFields } from '../../../platform/access/guard.ts'
import { PERMISSIONS, ROLE_NAMES, ROLES } from '../../../platform/access/permissions.ts'
import { FIELD_RULES, TYPE_RULES } from '../../../platform/access/rules.ts'

const FOLDER = new URL('../../../schema/', import.meta.url)

/** Every subgraph as it publishes itself, with the rules in front and nothing behind. */
const SCHEMAS: readonly GraphQLSchema[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.graphql') && name !== 'supergraph.graphql')
  .map((name) => guard(buildSubgraphSchema(parse(readFileSync(new URL(name, FOLDER), 'utf8')))))

const caller = (user: string | null, permissions: Caller['permissions']): Caller => ({
  requestId: 'rules',
  user,
  permissions,
})

const NOBODY = caller(null, [])
const ROLE_CALLERS = ROLE_NAMES.map((role) => caller(role, ROLES[role]))

type Verdict = 'through' | 'UNAUTHENTICATED' | 'FORBIDDEN'

/** Verdict on a request for a field: nothing of ours stands behind the rule. */
function ask({ type, field }: ReturnType<typeof ruledFields>[number], caller: Caller): Verdict {
  const run = type === 'Subscription' ? field.subscribe : field.resolve
  try {
    run?.({}, {}, { caller }, { fieldName: field.name } as never)
    return 'through'
  } catch (error) {
    return (error as { code?: Verdict }).code ?? 'through' // a resolver that misses its arguments
  }
}

const RULED = SCHEMAS.flatMap((schema) => ruledFields(schema))
const nameOf = ({ type, field }: (typeof RULED)[number]) => `${type}.${field.name}`
const openTo = (caller: Caller): string[] =>
  [...new Set(RULED.filter((each) => ask(each, caller) === 'through').map(nameOf))].sort()

/** All fields of object types, with or without a rule of their own. */
const FIELDS = SCHEMAS.flatMap((schema) =>
  Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`)),
)

test('every subgraph is looked at, and every field of it has a rule', () => {
  expect(SCHEMAS.length).toBeGreaterThan(1)
  const roots = FIELDS.filter((name) => /^(Query|Mutation|Subscription)\./.test(name))
  expect(RULED.map(nameOf)).toEqual(expect.arrayContaining(roots))
})

test('a field or a type without a rule is told, with what to add and where', () => {
  const guarding = (sdl: string) => () => guard(buildSubgraphSchema(parse(sdl)))
  expect(guarding('type Query { secrets: String }')).toThrow(
    "Query.secrets has no rule: say in FIELD_RULES of platform/access/rules.ts what it takes to use it, such as 'Query.secrets': 'executions:read'",
  )
  expect(guarding('type Query { event: Vault } type Vault { a: Int }')).toThrow(
    "The type Vault has no rule: say in TYPE_RULES of platform/access/rules.ts what it takes to see it, such as Vault: 'executions:read'",
  )
})

test('no rule is left of a field or type that is gone', () => {
  const types = new Set(SCHEMAS.flatMap((schema) => Object.keys(schema.getTypeMap())))
  expect(Object.keys(TYPE_RULES).filter((name) => !types.has(name))).toEqual([])
  expect(Object.keys(FIELD_RULES).filter((name) => !FIELDS.includes(name))).toEqual([])
})

test('whoever did not sign in is asked to, but for what is open on purpose', () => {
  expect(openTo(NOBODY)).toEqual([
    'ExecutionResult.environment',
    // Its sender proves that it knows a secret.
    'Mutation.callTrigger',
    // Fields for the gateway alone, with the secret of a session.
    'Mutation.claimSessionRenewal',
    'Mutation.endRefusedSession',
    'Mutation.executeComponent',
    'Mutation.executeWithoutSignIn',
    'Mutation.releaseSessionRenewal',
    'Mutation.renewSession',
    'Mutation.sessionRefreshToken',
    'Query._entities',
    'Query._service',
    'Query.endedSessions',
    'Query.executionResult',
    'Query.identify',
    'Query.node',
    'Query.nodes',
    'Query.server',
    // For the gateway alone.
    'Query.storedReceiver',
    'Query.viewer',
    'Subscription.executionUpdated',
  ])
  const verdicts = new Set(RULED.map((each) => ask(each, NOBODY)))
  expect(verdicts).toEqual(new Set(['through', 'UNAUTHENTICATED']))
})

test('each role may do what the one below may, and nobody is asked to sign in again', () => {
  let below = openTo(NOBODY)
  for (const each of ROLE_CALLERS) {
    const open = openTo(each)
    expect(open).toEqual(expect.arrayContaining(below))
    expect(open.length).toBeGreaterThan(below.length)
    expect(RULED.map((field) => ask(field, each))).not.toContain('UNAUTHENTICATED')
    below = open
  }
  expect(below).toEqual([...new Set(RULED.map(nameOf))].sort())
})

test('readers change nothing, runners no artifact, and editors nothing of access', () => {
  const [reader, runner, editor] = ROLE_CALLERS.map((each) =>
    openTo(each).filter((name) => name.startsWith('Mutation.')),
  )
  const own = expect.stringMatching(
    /^Mutation\.(execute(Component|WithoutSignIn)|authenticate|signOut|changePassword|(create|revoke)ApiToken|(open|end)BrowserSession|(claim|release)SessionRenewal|renewSession|endRefusedSession|sessionRefreshToken|callTrigger|(create|update|delete)SavedView)$/,
  )
  expect(reader).toEqual(reader?.map(() => own))
  expect(runner?.filter((name) => /(Component|Suite|TestCase|Environment)$/.test(name))).toEqual([
    'Mutation.executeComponent',
  ])
  expect(editor?.filter((name) => /Account/.test(name))).toEqual([])
})

test('one permission opens what it names and nothing else', () => {
  for (const permission of PERMISSIONS) {
    const open = RULED.filter((each) => ask(each, caller('token', [permission])) === 'through')
    for (const { rule } of open) expect([permission, 'anyone']).toContain(rule)
  }
})

test('a refused sign-in opens nothing, not even what needs none', () => {
  const refusal = { code: 'UNAUTHENTICATED', message: 'The token has expired' } as const
  expect(openTo({ ...NOBODY, refusal })).toEqual([])
})

test('types that another subgraph adds to are as guarded there', () => {
  const rules = Object.fromEntries(RULED.map((each) => [nameOf(each), each.rule]))
  expect(rules).toMatchObject({
    'Event.execution': 'executions:read',
    'ExecutionResult.callbackDeliveries': 'callbacks:manage',
    'ExecutionResult.context': 'artifacts:read',
    'ExecutionResult.events': 'events:read',
    'TestCase.events': 'events:read',
    'Suite.events': 'events:read',
  })
})

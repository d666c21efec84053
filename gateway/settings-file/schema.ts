import type { SchemaObject } from 'ajv'
import { VARIABLES } from '../../platform/settings/variables.ts'
import { SUPERGRAPH_VARIABLES } from '../config-variables.ts'

/** Settings that name the file itself, or that it has an attribute for. */
const ELSEWHERE: ReadonlySet<string> = new Set(['GATEWAY_CONFIG', 'SUPERGRAPH'])

export const SETTINGS_IN_FILE = [...new Set(SUPERGRAPH_VARIABLES)].filter(
  (name) => !ELSEWHERE.has(name),
)

const object = (
  description: string,
  properties: Record<string, SchemaObject>,
  others: SchemaObject = {},
): SchemaObject => ({
  type: 'object',
  description,
  properties,
  additionalProperties: false,
  ...others,
})

const DURATION = { type: 'string', pattern: '^[1-9]\\d{0,6}(ms|s|m)$' }
const HEADER = { type: 'string', pattern: "^[!#$%&'*+.^_`|~\\w-]+$" }
const FILE = { type: 'string', minLength: 1 }
const TEXT = { type: 'string' }

/** Attributes of a rule besides the one that says its kind. */
export const RULE_KINDS = {
  propagate: ['as', 'default', 'combine'],
  matching: ['combine'],
  insert: ['value', 'claim', 'default'],
  remove: [],
} as const

const ruleOf = (direction: 'request' | 'response'): SchemaObject =>
  object(
    `One rule, with exactly one of ${Object.keys(RULE_KINDS).join(', ')}. Later rules see what earlier ones have made.`,
    {
      propagate: { ...HEADER, description: 'Passes on the header of this name.' },
      matching: {
        type: 'string',
        format: 'regex',
        description: 'Passes on every header whose name, in lower case, matches this expression.',
      },
      insert: { ...HEADER, description: 'Sets the header of this name.' },
      remove: { ...HEADER, description: 'Removes what earlier rules have made of this header.' },
      as: { ...HEADER, description: 'Another name for a header that is passed on.' },
      default: { ...TEXT, description: 'Value where there is none.' },
      value: { ...TEXT, description: 'Value of an inserted header.' },
      ...(direction === 'request'
        ? {
            claim: {
              ...TEXT,
              description:
                'Claim of the verified bearer token that an inserted header takes its value from, such as `sub` or `org.id`. Needs AUTH_MODE=oidc.',
            },
          }
        : {
            combine: {
              type: 'string',
              enum: ['last', 'first', 'append'],
              description:
                'Value that clients get where several subgraphs answer one; `append` joins them with commas, or sends several Set-Cookie.',
            },
          }),
    },
    { oneOf: Object.keys(RULE_KINDS).map((name) => ({ required: [name] })) },
  )

const LINK: Record<string, SchemaObject> = {
  timeout: {
    ...DURATION,
    description: 'Time for a query with its retries; default 30s. Mutations end by silence alone.',
  },
  silence: {
    ...DURATION,
    description: 'Time for which a subgraph may say nothing to a request; default 20s.',
  },
  retries: {
    type: 'integer',
    minimum: 0,
    maximum: 10,
    description: 'Repetitions of a query that got no answer, within a budget; default 2.',
  },
  connections: {
    type: 'integer',
    minimum: 1,
    maximum: 10_000,
    description: 'Connections for queries at a time; default 64.',
  },
  breaker: object('When a subgraph is left alone for a while.', {
    failures: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      description: 'Requests in a row without an answer; default 5.',
    },
    pause: { ...DURATION, description: 'Time between two probes; default 100ms.' },
  }),
  tls: object('For addresses with https and wss. Paths of PEM files.', {
    ca: { ...FILE, description: 'Authorities that are trusted instead of those of Node.' },
    certificate: { ...FILE, description: 'Certificate chain of the gateway. Needs `key`.' },
    key: { ...FILE, description: 'Its private key, without a passphrase.' },
  }),
  headers: object('What headers go through. Rules of a subgraph follow those for all.', {
    request: {
      type: 'array',
      items: ruleOf('request'),
      description: 'From the client to the subgraph.',
    },
    response: {
      type: 'array',
      items: ruleOf('response'),
      description:
        'From the subgraph to the client. With such rules, equal queries share no fetch.',
    },
  }),
  subscriptions: object('How subscriptions reach subgraphs.', {
    protocol: {
      type: 'string',
      enum: ['websocket', 'sse'],
      description:
        '`websocket` (graphql-transport-ws), the default, or `sse` (graphql-sse, distinct connections).',
    },
    path: {
      type: 'string',
      pattern: '^/',
      description: 'Path where it differs from that of queries.',
    },
  }),
}

/** The file that GATEWAY_CONFIG names. Values are checked once `{env.NAME}` is replaced. */
export const SETTINGS_FILE_SCHEMA: SchemaObject = object(
  'Settings of `npm run start:gateway` in front of a supergraph. Every text may hold {env.NAME}.',
  {
    supergraph: {
      type: 'string',
      minLength: 1,
      description: 'As SUPERGRAPH, which wins. A path begins at the folder of this file.',
    },
    settings: object(
      'Settings of the table by their names. The environment wins. A change needs a restart.',
      Object.fromEntries(
        SETTINGS_IN_FILE.map((name) => [
          name,
          { type: ['string', 'number', 'boolean'], description: VARIABLES[name].meaning },
        ]),
      ),
    ),
    all: object('What holds for each subgraph that does not say otherwise.', LINK),
    subgraphs: {
      type: 'object',
      description: 'Subgraphs by the names that the supergraph has for them.',
      additionalProperties: object('One subgraph.', {
        url: {
          type: 'string',
          pattern: '^https?://',
          description: 'Address instead of that in the supergraph.',
        },
        ...LINK,
      }),
    },
    authorization: object('How @authenticated, @requiresScopes and @policy are enforced.', {
      onDenied: {
        type: 'string',
        enum: ['filter', 'reject'],
        description:
          '`filter`, the default, leaves out what the caller may not have; `reject` refuses the operation.',
      },
      policies: object(
        'Webhook that decides which policies of @policy a caller meets. Without it, none.',
        {
          url: { type: 'string', pattern: '^https?://', description: 'Gets POST requests.' },
          timeout: { ...DURATION, description: 'Default 2s. Without an answer, none is met.' },
          cache: { ...DURATION, description: 'How long an answer is kept; default: not.' },
          token: { ...TEXT, description: 'Sent as a bearer token.' },
        },
        { required: ['url'] },
      ),
    }),
    cacheHints: {
      type: 'string',
      enum: ['private', 'public'],
      description:
        'Caches may keep responses to queries without errors for as long as all their subgraphs allow by Cache-Control: `private` those of one user, `public` also shared ones, where nothing of the caller reached a subgraph. Default: none.',
    },
    overrideLabels: {
      type: 'object',
      description: 'Labels of @override: true, false, or the percentage of requests.',
      additionalProperties: { type: ['boolean', 'number'], minimum: 0, maximum: 100 },
    },
  },
)

/** Schema of a text that becomes a value only when the gateway starts. */
const WITH_ENV = { type: 'string', pattern: '\\{env\\.\\w+\\}' }

/** The schema as editors read it: `{env.NAME}` may stand for every value. */
export const publishedSettingsSchema = (): SchemaObject => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  ...published(SETTINGS_FILE_SCHEMA),
})

function published(schema: SchemaObject): SchemaObject {
  const { type, description, properties, additionalProperties, items } = schema
  const isText = type === 'string' || (Array.isArray(type) && type.includes('string'))
  if (isText && !schema.pattern && !schema.enum && !schema.format) return schema
  if (type !== 'object' && type !== 'array')
    return { description, anyOf: [{ ...schema, description: undefined }, WITH_ENV] }
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries<SchemaObject>(properties).map(([name, each]) => [name, published(each)]),
      ),
    }),
    ...(additionalProperties && { additionalProperties: published(additionalProperties) }),
    ...(items && { items: published(items) }),
  }
}

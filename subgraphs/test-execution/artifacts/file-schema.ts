import { SCENARIO_SCHEMA } from '../../../runner/scenario/schema.ts'
import type { ArtifactKind, AttributeSchema } from './artifact.kind.ts'
import { KINDS } from './kinds.ts'

type Properties = Record<string, AttributeSchema>

/** Form of an attribute in a file, where it is stored otherwise; null leaves it out. */
interface FileForm {
  title: string
  description: string
  /** Attributes that only files have. */
  more: Properties
  /** Attributes of which one is needed. */
  oneOf?: readonly string[]
  example: object
}

const PATH = { type: 'string', minLength: 1 }
const ID = {
  type: 'string',
  pattern: '^[A-Za-z0-9._~:-]{1,255}$',
  description: 'The name of the file up to its kind if absent.',
}

/** The scenario of a file may have the rows of its dataset in another one. */
const scenario = (): AttributeSchema => {
  const { $defs: _, ...schema } = SCENARIO_SCHEMA
  const { dataset } = schema.properties
  const { rows, maxParallel } = dataset.properties
  const file = {
    ...PATH,
    description: 'A CSV file with a line of names, or a JSON file with a list of objects.',
  }
  return {
    ...schema,
    properties: {
      ...schema.properties,
      dataset: {
        ...dataset,
        required: undefined,
        properties: { rows, file, maxParallel },
        oneOf: [{ required: ['rows'] }, { required: ['file'] }],
      },
    },
  }
}

const CHANNEL_KIND = {
  enum: ['webhook', 'slack', 'email'],
  description:
    'How it delivers: the attribute `kind` of a channel, which files have for the artifact.',
}

const SECRET_FROM = {
  type: 'string',
  description:
    'Environment variable of the command that holds the secret of the sender. Where it is not set, the stored secret stays.',
}

const FORMS: Readonly<Record<string, FileForm>> = {
  component: {
    title: 'Component',
    description: 'Code under test. Its exported functions take and return JSON.',
    more: {
      source: {
        ...PATH,
        description:
          'The file with the source, .js or .ts. What it imports by a relative path is bundled into it.',
      },
    },
    oneOf: ['source', 'sourceCode'],
    example: { kind: 'component', name: 'Price', source: './price.ts' },
  },
  testcase: {
    title: 'Scenario',
    description: 'Steps with expectations.',
    more: {},
    example: {
      kind: 'testcase',
      name: 'The shop answers',
      environment: 'stage',
      scenario: {
        steps: [
          {
            id: 'home',
            http: { url: '/' },
            expect: [{ assert: 'status', value: 200 }],
          },
        ],
      },
    },
  },
  suite: {
    title: 'Suite',
    description: 'Scenarios that are executed together.',
    more: {
      select: {
        type: 'object',
        description:
          'Adds every scenario of the folder that has one of `tags` and none of `skipTags`, by id.',
        additionalProperties: false,
        required: ['tags'],
        properties: {
          tags: { type: 'array', minItems: 1, items: { type: 'string' } },
          skipTags: { type: 'array', items: { type: 'string' } },
        },
      },
    },
    example: { kind: 'suite', name: 'Smoke tests', select: { tags: ['smoke'] } },
  },
  environment: {
    title: 'Environment',
    description: 'Where scenarios run: addresses, variables, secrets, and permissions.',
    more: {},
    example: {
      kind: 'environment',
      name: 'Stage',
      baseUrl: 'https://stage.example',
      variables: { currency: 'EUR' },
      secrets: [{ name: 'API_KEY', fromEnv: 'STAGE_API_KEY' }],
    },
  },
  channel: {
    title: 'Channel',
    description: 'Where notifications go.',
    more: { channelKind: CHANNEL_KIND },
    oneOf: ['channelKind'],
    example: { kind: 'channel', name: 'Operations', channelKind: 'email', to: ['ops@example.com'] },
  },
  rule: {
    title: 'Rule',
    description: 'Changes of events that notify.',
    more: {},
    example: {
      kind: 'rule',
      name: 'Critical events',
      query: 'severity:CRITICAL',
      channels: ['operations'],
    },
  },
  silence: {
    title: 'Silence',
    description: 'Events that notify no one for a time.',
    more: {},
    example: {
      kind: 'silence',
      name: 'Move of the database',
      query: 'source.ref:db-1',
      until: '2027-01-31T18:00:00Z',
      reason: 'It is moved.',
    },
  },
  receiver: {
    title: 'Receiver',
    description: 'Events out of JSON that a tool sends.',
    more: { secretFrom: SECRET_FROM },
    example: {
      kind: 'receiver',
      name: 'backups',
      title: ['{{@.job}} on {{@.host}}'],
      status: ['@.state'],
      statusWords: { failed: 'OPEN', done: 'OK' },
    },
  },
  schedule: {
    title: 'Schedule',
    description: 'Times at which a scenario or suite is executed.',
    more: {},
    example: {
      kind: 'schedule',
      name: 'Nightly',
      cron: '30 2 * * 1-5',
      timeZone: 'Europe/Berlin',
      target: 'smoke',
      environment: 'stage',
    },
  },
  trigger: {
    title: 'Trigger',
    description: 'Changes of events, or signed requests, that a scenario or suite is executed for.',
    more: { secretFrom: SECRET_FROM },
    example: {
      kind: 'trigger',
      name: 'Pushes',
      webhook: 'github',
      secretFrom: 'PUSH_SECRET',
      labels: { branch: '$.ref' },
      target: 'smoke',
    },
  },
}

/** A secret of a file names the environment variable of the command that has its value. */
const secrets = ({ items, ...list }: AttributeSchema): AttributeSchema => ({
  ...list,
  items: {
    ...items,
    properties: {
      ...items?.properties,
      fromEnv: {
        type: 'string',
        description:
          'Environment variable of the command that holds the value. Without it, or where it is not set, the stored value stays.',
      },
    },
  },
})

/**
 * The JSON Schema of artifact files, for editors: what validates stored artifacts, and what files may have besides.
 * @param describe what the graph says about an attribute of a type
 */
export function artifactFileSchema(
  describe: (typeName: string, attribute: string) => string | undefined,
): object {
  const definitions = KINDS.map((kind) => [kind.name, fileOf(kind, describe)])
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Artifact of Assay',
    type: 'object',
    required: ['kind'],
    properties: {
      kind: { enum: KINDS.map(({ name }) => name), description: 'What the file describes.' },
    },
    oneOf: KINDS.map(({ name }) => ({ $ref: `#/$defs/${name}` })),
    examples: KINDS.map(({ name }) => FORMS[name]?.example),
    $defs: { ...Object.fromEntries(definitions), ...SCENARIO_SCHEMA.$defs },
  }
}

function fileOf(
  { name, typeName, properties, required }: ArtifactKind,
  describe: (typeName: string, attribute: string) => string | undefined,
): AttributeSchema {
  const form = FORMS[name]
  if (!form) throw new Error(`Files of the kind ${name} have no form`)
  const { title, description, more, oneOf, example } = form
  const own = Object.entries(properties).filter(
    ([attribute, schema]) => !schema.readOnly && attribute !== 'kind',
  )
  const attributes = own.map(([attribute, schema]) => {
    const shaped =
      attribute === 'scenario' ? scenario() : attribute === 'secrets' ? secrets(schema) : schema
    const text = describe(typeName, attribute)
    return [attribute, { ...shaped, ...(text && { description: text }) }]
  })
  return {
    title,
    description,
    type: 'object',
    additionalProperties: false,
    required: [
      'kind',
      ...required.filter((attribute) => attribute !== 'kind' && !oneOf?.includes(attribute)),
    ],
    properties: {
      kind: { const: name },
      id: ID,
      name: {
        type: 'string',
        maxLength: 255,
        description: 'Unique among artifacts of the kind; the id if absent.',
      },
      description: { type: 'string', description: 'Free text.' },
      ...Object.fromEntries(attributes),
      ...more,
    },
    ...(oneOf && { oneOf: oneOf.map((attribute) => ({ required: [attribute] })) }),
    examples: [example],
  }
}

import type { Area } from '../documents/description.ts'
import { type JsonSchema, MAP } from '../documents/json-schema.ts'

/** Description of a kind of artifact for the REST interface. */
export interface ArtifactResource {
  /** Resource name in paths. */
  name: string
  /** Name of the GraphQL type. */
  typeName: string
  area: Area
  /** GraphQL fields of what only this kind has. */
  fields: string
  /** Attributes that hold the id of another artifact, or a list of ids; GraphQL shows the artifact itself. */
  references: readonly string[]
  /** Attributes that the product sets, besides those of every artifact: ignored in requests. Times are among them. */
  set?: readonly string[]
  /** Attributes of requests that GraphQL describes in words only. */
  inputs?: Readonly<Record<string, JsonSchema>>
  /** Id of an artifact that a first start loads. */
  existing: string
  /** Body that creates one which refers to loaded ones alone; its id goes on where it is replaced and deleted. */
  example: { id: string; name: string } & Readonly<Record<string, unknown>>
}

export const ARTIFACT_RESOURCES: readonly ArtifactResource[] = [
  {
    name: 'component',
    typeName: 'Component',
    area: 'Components',
    fields: 'language sourceCode environment { id }',
    references: ['environment'],
    existing: 'loan-schedule',
    example: {
      id: 'my-component',
      name: 'My component',
      description: 'Adds two numbers',
      sourceCode: 'export const add = (a, b) => a + b\n',
    },
  },
  {
    name: 'testcase',
    typeName: 'TestCase',
    area: 'Scenarios',
    fields: `componentUnderTest { id } environment { id } tags scenario useCodeCoverage rerunAfterCrash
      retries quarantine needs { id } allowExecuteWithoutCredentials`,
    references: ['componentUnderTest', 'environment', 'needs'],
    inputs: {
      scenario: {
        ...MAP,
        type: ['object', 'string'],
        description:
          'The steps and their expectations: an object, or a text with the same as YAML.',
      },
    },
    existing: 'loan-schedule',
    example: {
      id: 'my-scenario',
      name: 'My scenario',
      componentUnderTest: 'tax-table',
      scenario: {
        steps: [
          {
            id: 'low-income',
            call: { function: 'tax', args: [0] },
            expect: [{ path: '$.tax', assert: 'equals', value: 0 }],
          },
        ],
      },
    },
  },
  {
    name: 'suite',
    typeName: 'Suite',
    area: 'Suites',
    fields:
      'testCases { id } haltAtFailure maxParallel setup { id } teardown { id } environments { id }',
    references: ['testCases', 'setup', 'teardown', 'environments'],
    existing: 'finance',
    example: {
      id: 'my-suite',
      name: 'My suite',
      testCases: ['loan-schedule', 'tax-table'],
      maxParallel: 2,
    },
  },
  {
    name: 'environment',
    typeName: 'Environment',
    area: 'Environments',
    fields: 'baseUrl variables secrets { name } allowedHosts runners',
    references: [],
    inputs: {
      secrets: {
        type: ['array', 'null'],
        items: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, value: { type: ['string', 'null'] } },
        },
      },
    },
    existing: 'local',
    example: {
      id: 'my-environment',
      name: 'My environment',
      baseUrl: 'https://stage.example',
      variables: { currency: 'EUR' },
      secrets: [{ name: 'API_KEY', value: 'secret' }],
    },
  },
  {
    name: 'channel',
    typeName: 'Channel',
    area: 'Notifications',
    fields: 'kind url to template',
    references: [],
    existing: 'my-channel',
    example: {
      id: 'my-channel',
      name: 'My channel',
      kind: 'email',
      to: ['operations@example.com'],
    },
  },
  {
    name: 'rule',
    typeName: 'Rule',
    area: 'Notifications',
    fields: `query on groupBy groupWait groupInterval repeatInterval flappingAfter flappingWithin
      channels { id } text enabled`,
    references: ['channels'],
    existing: 'my-rule',
    example: {
      id: 'my-rule',
      name: 'Critical events',
      query: 'severity:CRITICAL',
      channels: ['my-channel'],
    },
  },
  {
    name: 'silence',
    typeName: 'Silence',
    area: 'Notifications',
    fields: 'query from until weekly { days from to timeZone } reason notifyAtEnd',
    references: [],
    existing: 'my-silence',
    example: {
      id: 'my-silence',
      name: 'Move of the database',
      query: 'source.ref:db-1',
      until: '2100-01-31T18:00:00Z',
      reason: 'It is moved.',
    },
  },
  {
    name: 'receiver',
    typeName: 'Receiver',
    area: 'Receivers',
    fields: `items title message severity severityWords status statusWords resolved resolvedAt createdAt
      eventClass source { ref type name } properties tags fingerprint ignoreNumbers occurrenceId
      secret proof { header query prefix hmac } response { status body }`,
    references: [],
    existing: 'my-receiver',
    example: {
      id: 'my-receiver',
      name: 'backups',
      title: ['{{@.job}} on {{@.host}}'],
      status: ['@.state'],
      statusWords: { failed: 'OPEN', done: 'OK' },
      source: { ref: ['@.host'], type: ['host'] },
      fingerprint: ['@.job'],
    },
  },
  {
    name: 'schedule',
    typeName: 'Schedule',
    area: 'Schedules',
    fields: `cron timeZone target { ... on TestCase { id } ... on Suite { id } } environment { id }
      credentialsFrom labels missed overlap spread enabled
      nextRuns storedBy lastRunAt lastResultId failure`,
    references: ['target', 'environment'],
    set: ['nextRuns', 'storedBy', 'lastRunAt', 'lastResultId', 'failure'],
    existing: 'nightly',
    example: {
      id: 'my-schedule',
      name: 'My schedule',
      cron: '30 2 * * 1-5',
      timeZone: 'Europe/Berlin',
      target: 'finance',
      enabled: false,
    },
  },
  {
    name: 'trigger',
    typeName: 'Trigger',
    area: 'Triggers',
    fields: `query on webhook secret target { ... on TestCase { id } ... on Suite { id } } environment { id }
      credentialsFrom labels perHour enabled storedBy lastRunAt lastResultId failure`,
    references: ['target', 'environment'],
    set: ['storedBy', 'lastRunAt', 'lastResultId', 'failure'],
    existing: 'my-trigger',
    example: {
      id: 'my-trigger',
      name: 'My trigger',
      query: 'severity:CRITICAL',
      labels: { event: '$.title' },
      target: 'finance',
      enabled: false,
    },
  },
]

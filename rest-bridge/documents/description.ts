import type { JsonSchema } from './json-schema.ts'

/** Groups of the explorer, in the order in which it shows them. */
export const AREAS = {
  Access:
    'Sign in. HTTP Basic on every call does as well; with `AUTH_MODE=none` neither is needed.',
  Execution: 'Start scenarios and suites. Without `synchron=true` the answer comes at once.',
  Results: 'What became of executions, in short and in detail.',
  Callbacks: 'What became of callbacks.',
  Components: 'The code under test.',
  Scenarios: 'What a component has to do: steps and expectations.',
  Suites: 'Scenarios that are executed together.',
  Environments: 'Where scenarios run: addresses, variables and secrets.',
  Schedules: 'When scenarios and suites are executed by themselves.',
  Triggers: 'Changes of events and signed requests that scenarios and suites are executed for.',
  'Artifacts as files': 'Whole folders of artifacts, as repositories hold them.',
  Events: 'Send events, read back what became of them, and acknowledge or close them.',
  Notifications: 'Who is notified of which changes of events, where, and when not.',
  Receivers: 'Events of other tools, at addresses and in words of theirs.',
  Heartbeats: 'Signs of life that are missed when they do not come.',
  Accounts: 'Who may sign in, their API tokens, and the audit log.',
  Views: 'Pages with their filters and order, under names.',
  Server: 'What runs here, and how it is configured.',
} as const satisfies Record<string, string>

export type Area = keyof typeof AREAS

/** A parameter as OpenAPI 3.1 writes it. */
export interface Parameter {
  in: 'path' | 'query' | 'header'
  name: string
  description: string
  required?: true
  schema: JsonSchema
  example?: unknown
}

/** Response of a route with one status. */
export interface Answer {
  description: string
  /** Schema of a JSON body; without one there is no body. */
  schema?: JsonSchema
  /** Other media types that a parameter selects, with the schema of each. */
  others?: Readonly<Record<string, JsonSchema>>
  /** Name → description; their values are texts. */
  headers?: Readonly<Record<string, string>>
}

export const inPath = (name: string, description: string, example?: string): Parameter => ({
  in: 'path',
  name,
  description,
  required: true,
  schema: { type: 'string' },
  example,
})

export const inQuery = (
  name: string,
  description: string,
  schema: JsonSchema = { type: 'string' },
  example?: unknown,
): Parameter => ({ in: 'query', name, description, schema, example })

/** One of a few words, in any case; the first one stands for none. */
export const inWords = (name: string, description: string, words: readonly string[]): Parameter =>
  inQuery(name, description, { type: 'string', enum: words, default: words[0] })

/** One that counts with each of its values. */
export const inQueryRepeated = (name: string, description: string, example?: string): Parameter =>
  inQuery(name, description, { type: 'array', items: { type: 'string' } }, example && [example])

export const inHeader = (name: string, description: string, example?: string): Parameter => ({
  in: 'header',
  name,
  description,
  schema: { type: 'string' },
  example,
})

/** An example that the explorer shows, and does not fill in: the call would fail with it, or mean something else. */
export const showing = (parameter: Parameter, example: unknown): Parameter => ({
  ...parameter,
  schema: { ...parameter.schema, examples: [example] },
})

/** Example of an id that the product gives. */
export const GENERATED_ID = '0198d3a2-6f1e-7b60-8c55-2f1d9a7e4c11'

/** The id of an object that the product named when it came to be. */
export const generatedId = (name: string, description: string): Parameter =>
  showing(inPath(name, description), GENERATED_ID)

export const RESULT_ID = generatedId('resultId', 'Result id, as the start of the execution gave it')

export const required = (parameter: Parameter): Parameter => ({ ...parameter, required: true })

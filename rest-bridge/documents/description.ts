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
  'Artifacts as files': 'Whole folders of artifacts, as repositories hold them.',
  Events: 'Send events, read back what became of them, and acknowledge or close them.',
  Accounts: 'Who may sign in, their API tokens, and the audit log.',
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

/** What a route answers with one status. */
export interface Answer {
  description: string
  /** Of a JSON body; without one there is no body. */
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
  ...(example === undefined ? {} : { example }),
})

export const inQuery = (
  name: string,
  description: string,
  schema: JsonSchema = { type: 'string' },
  example?: unknown,
): Parameter => ({
  in: 'query',
  name,
  description,
  schema,
  ...(example === undefined ? {} : { example }),
})

export const inHeader = (name: string, description: string, example?: string): Parameter => ({
  in: 'header',
  name,
  description,
  schema: { type: 'string' },
  ...(example === undefined ? {} : { example }),
})

export const required = (parameter: Parameter): Parameter => ({ ...parameter, required: true })

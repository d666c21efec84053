import { readFile } from 'node:fs/promises'
import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  TokenKind,
  validate,
} from 'graphql'
import { fragmentsOf } from '../../formats/graphql/documents.ts'
import { ANYONE, FIELD_RULES, type Rule } from '../../platform/access/rules.ts'
import type { Logger } from '../../platform/process/logger.ts'
import { inputSchemaOf, type JsonSchema, outputSchemaOf } from './tool-schemas.ts'

/** Names that all clients take. */
const NAME = /^[A-Za-z0-9_]{1,64}$/

/** An operation as assistants call it. */
export interface Tool {
  name: string
  description: string
  document: string
  writes: boolean
  /** True if host credentials of a header become its variable `credentials`. */
  takesCredentials: boolean
  /** Callers without it do not see the tool; the graph itself decides what they may do. */
  needs: Rule
  inputSchema: ReturnType<typeof inputSchemaOf>
  /** Schema of `data`. */
  dataSchema: JsonSchema
}

/** The documents of the product's own tools, from one file of operations. */
export const ownToolDocuments = async (): Promise<string[]> => {
  const text = await readFile(new URL('tools.graphql', import.meta.url), 'utf8')
  return parse(text).definitions.map(({ loc }) => text.slice(loc?.start, loc?.end))
}

/**
 * Makes a tool of a document with one query or mutation that has a name and a description.
 * @returns null for one without a description, which is meant for other clients
 * @throws Error that says why it cannot be a tool
 */
function toolOf(text: string, schema: GraphQLSchema): Tool | null {
  const document = parse(text)
  const [operation, ...others] = document.definitions.filter(
    (each) => each.kind === Kind.OPERATION_DEFINITION,
  )
  const description = operation && descriptionOf(operation)
  if (!operation || !description) return null
  const name = operation.name?.value ?? ''
  if (!NAME.test(name)) throw new Error('its operation needs a name of at most 64 characters')
  if (others.length > 0) throw new Error('it has more than one operation')
  if (operation.operation === 'subscription') throw new Error('it is a subscription')
  const [fault] = validate(schema, document as DocumentNode)
  if (fault) throw fault
  return {
    ...{ name, description, document: text, needs: ruleOf(operation) },
    takesCredentials: text.includes('$credentials: HostCredentialsInput'),
    writes: operation.operation === 'mutation',
    inputSchema: inputSchemaOf(schema, operation),
    dataSchema: outputSchemaOf(schema, operation, fragmentsOf(document)),
  }
}

/** Its own description; of tools that write none, the comment in front of it. */
function descriptionOf({ description, loc }: OperationDefinitionNode): string {
  if (description) return description.value.trim()
  const lines: string[] = []
  for (let token = loc?.startToken.prev; token?.kind === TokenKind.COMMENT; token = token.prev)
    lines.unshift(token.value.trim())
  return lines.join(' ').trim()
}

/** Rule of the first field of an operation; rules of foreign fields are unknown here. */
function ruleOf({ operation, selectionSet }: OperationDefinitionNode): Rule {
  const [field] = selectionSet.selections
  const type = operation === 'mutation' ? 'Mutation' : 'Query'
  return (field?.kind === Kind.FIELD && FIELD_RULES[`${type}.${field.name.value}`]) || ANYONE
}

/** The tools over a schema, by name; made once for each schema, as a supergraph of others may be replaced. */
export function createToolbox(
  documents: readonly string[],
  log: Logger,
): (schema: GraphQLSchema) => ReadonlyMap<string, Tool> {
  const made = new WeakMap<GraphQLSchema, Map<string, Tool>>()
  return (schema) => {
    const known = made.get(schema)
    if (known) return known
    const tools = new Map<string, Tool>()
    for (const document of documents) {
      try {
        const tool = toolOf(document, schema)
        if (!tool) continue
        if (tools.has(tool.name)) throw new Error(`another tool is called ${tool.name}`)
        tools.set(tool.name, tool)
      } catch (error) {
        const why = (error as Error).message // thrown by us or by GraphQL.js
        log.warn({ document: document.slice(0, 200), why }, 'A trusted document is no MCP tool')
      }
    }
    made.set(schema, tools)
    return tools
  }
}

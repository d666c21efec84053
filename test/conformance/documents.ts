import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'

/** Common parts of both versions of the API document, and their differences. */
export interface ApiDocument {
  openapi?: string
  servers?: { url: string }[]
  components?: { securitySchemes: Record<string, unknown> }
  swagger?: string
  basePath?: string
  securityDefinitions?: Record<string, unknown>
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
}

export interface Operation {
  tags: string[]
  parameters: { in: string; name: string; required?: boolean; example?: unknown }[]
  requestBody?: { content: { 'application/json': { example: unknown } } }
  responses: Record<string, { content?: Record<string, unknown>; schema?: unknown }>
}

/** Every operation of a document, in its order. */
export const operationsOf = ({ paths }: ApiDocument) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )

interface Contract {
  document: ApiDocument
  /** Compiles a schema of the document. */
  compile(pointer: string): ValidateFunction
}

const contracts = new Map<string, Promise<Contract[]>>()

/** Both documents of a running product. */
export async function documentsOf(base: string): Promise<ApiDocument[]> {
  return (await contractsOf(base)).map(({ document }) => document)
}

/** Fails unless both documents describe this answer. What they do not know of may only be refused. */
export async function expectDocumented(
  base: string,
  method: string,
  path: string,
  answer: { status: number; headers: Headers },
  body: unknown,
): Promise<void> {
  for (const contract of await contractsOf(base)) {
    const version = contract.document.openapi ?? contract.document.swagger
    const faults = faultsOf(contract, method === 'HEAD' ? 'GET' : method, path, answer, body)
    if (faults) throw new Error(`${version} does not describe ${method} ${path}: ${faults}`)
  }
}

/** Parts of a response that a document does not describe. */
function faultsOf(
  { document, compile }: Contract,
  method: string,
  path: string,
  { status, headers }: { status: number; headers: Headers },
  body: unknown,
): string | undefined {
  const template = templateOf(document, path)
  const verb = method.toLowerCase()
  const operation = template && document.paths[template]?.[verb]
  if (!operation)
    return isPage(path) || verb === 'options' || REFUSALS.has(status) ? undefined : `${status}`
  const response = operation.responses[status]
  if (!response) return `${status} ${JSON.stringify(body)}`
  const { content } = response
  const type = headers.get('content-type')?.split(';', 1)[0]
  if (type === undefined) return (content ?? response.schema) ? 'it has no body' : undefined
  if (content && !(type in content) && !('*/*' in content)) return type
  // Swagger 2.0 describes one media type.
  if (type !== 'application/json' || body === '') return undefined
  const at = ['paths', template, verb, 'responses', String(status)]
  const pointer = content ? [...at, 'content', type, 'schema'] : [...at, 'schema']
  const validate = compile(pointer.map(escaped).join('/'))
  return validate(body) ? undefined : JSON.stringify(validate.errors)
}

/** An address that does not exist, that cannot be decoded, and a wrong method. */
const REFUSALS: ReadonlySet<number> = new Set([404, 400, 405])

const isPage = (path: string) => /^\/+(swagger-ui|v[23]\/api-docs)/.test(path)

const escaped = (part: string) =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

/** The path of the document that an address belongs to; one without parameters wins. */
function templateOf({ paths }: ApiDocument, address: string): string | undefined {
  const path = `/${address.split('?', 1)[0]?.split('/').filter(Boolean).join('/')}`
  const matching = Object.keys(paths).filter((template) =>
    new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
  return matching.find((template) => !template.includes('{')) ?? matching[0]
}

function contractsOf(base: string): Promise<Contract[]> {
  const known =
    contracts.get(base) ?? Promise.all(['v3', 'v2'].map((version) => load(base, version)))
  contracts.set(base, known)
  return known
}

async function load(base: string, version: string): Promise<Contract> {
  const document = (await (await fetch(`${base}/${version}/api-docs`)).json()) as ApiDocument
  const ajv = document.openapi
    ? new Ajv2020({ strict: false, validateFormats: false })
    : new Ajv({ strict: false, validateFormats: false })
  ajv.addSchema(closed(document) as object, 'document')
  const compiled = new Map<string, ValidateFunction>()
  return {
    document,
    compile(pointer) {
      const known = compiled.get(pointer) ?? ajv.compile({ $ref: `document#/${pointer}` })
      compiled.set(pointer, known)
      return known
    },
  }
}

/** The document with schemas that allow no property beyond those they list, and with `x-nullable` as Ajv writes it. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const { 'x-nullable': isNullable, ...rest } = value as Record<string, unknown>
  const copy = Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, closed(each)]))
  return {
    ...('properties' in copy && copy.type !== undefined ? { additionalProperties: false } : {}),
    ...copy,
    ...(isNullable ? { nullable: true } : {}),
    ...(isNullable && Array.isArray(copy.enum) ? { enum: [...copy.enum, null] } : {}),
  }
}

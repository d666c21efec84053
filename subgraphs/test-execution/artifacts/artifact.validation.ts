import { Ajv, type ValidateFunction } from 'ajv'
import { badInput } from '../../../formats/errors.ts'
import { isTooDeep } from '../../../formats/json/values.ts'
import { checkText } from '../../../platform/database/database-text.ts'
import type { ArtifactKind, CheckTools } from './artifact.kind.ts'

type Fields = Record<string, unknown>

const ajv = new Ajv({ useDefaults: true, strict: true, allowUnionTypes: true, verbose: true })
const validators = new Map<ArtifactKind, ValidateFunction<Fields>>()

/**
 * The attributes of a kind, complete with defaults; null counts as absent.
 * @throws AppError BAD_USER_INPUT that names the first faulty attribute and what was expected there
 */
export async function completeFields(
  kind: ArtifactKind,
  raw: Fields,
  tools: CheckTools,
): Promise<Fields> {
  const given = kind.read ? await kind.read(raw, tools.evaluation) : raw
  if (isTooDeep(given)) throw badInput('It is nested too deeply')
  const present = Object.entries(given).filter(([, value]) => value != null)
  for (const [attribute, value] of present) checkText(attribute, value)
  const fields = structuredClone(Object.fromEntries(present))
  const validate = validatorOf(kind)
  if (!validate(fields)) {
    const explanation = explain(validate)
    validate.errors = null // they hold what was given, secrets included
    throw badInput(explanation)
  }
  await kind.check?.(fields, tools)
  return { ...fields, ...kind.derive?.(fields) }
}

function validatorOf(kind: ArtifactKind): ValidateFunction<Fields> {
  const known = validators.get(kind)
  if (known) return known
  const { properties, required } = kind
  const schema = { type: 'object', properties, required, additionalProperties: false }
  const validate = ajv.compile<Fields>(schema)
  validators.set(kind, validate)
  return validate
}

function explain({ errors }: ValidateFunction): string {
  const named = errors?.find(({ keyword }) => keyword === 'propertyNames')
  const { keyword, instancePath = '', params, message, parentSchema } = named ?? errors?.[0] ?? {}
  const path = instancePath.slice(1).replaceAll('/', '.')
  const within = (attribute: string) => (path ? `${path}.${attribute}` : attribute)
  if (keyword === 'required') return `${within(params?.missingProperty)}: it is missing`
  if (keyword === 'additionalProperties')
    return `${within(params?.additionalProperty)}: no such attribute`
  if (keyword === 'propertyNames')
    return `${within(params?.propertyName)}: expected ${parentSchema?.propertyNames.description}`
  if (keyword === 'pattern' && parentSchema?.description)
    return `${path}: expected ${parentSchema.description}`
  if (keyword === 'enum') return `${path}: expected one of ${params?.allowedValues.join(', ')}`
  return `${path}: it ${message}`
}

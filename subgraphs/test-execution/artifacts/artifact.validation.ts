import { Ajv, type ValidateFunction } from 'ajv'
import { AppError } from '../../../schema/errors.ts'
import type { ArtifactKind } from './artifact.kind.ts'

type Fields = Record<string, unknown>

const ajv = new Ajv({ useDefaults: true, strict: true })
const validators = new Map<ArtifactKind, ValidateFunction<Fields>>()

/**
 * The fields of a kind, complete with defaults.
 * @throws AppError BAD_USER_INPUT that names the first faulty field and what was expected there
 */
export function completeFields(kind: ArtifactKind, given: Fields): Fields {
  const { properties, required } = kind
  let validate = validators.get(kind)
  if (!validate) {
    const schema = { type: 'object', properties, required, additionalProperties: false }
    validate = ajv.compile<Fields>(schema)
    validators.set(kind, validate)
  }
  const fields = structuredClone(given)
  if (!validate(fields)) throw new AppError('BAD_USER_INPUT', explain(validate))
  kind.check?.(fields)
  return fields
}

function explain({ errors }: ValidateFunction): string {
  const { keyword, instancePath, params, message } = errors?.[0] ?? {}
  const path = instancePath?.slice(1).replaceAll('/', '.')
  if (keyword === 'required') return `${params?.missingProperty}: it is missing`
  if (keyword === 'additionalProperties') return `${params?.additionalProperty}: no such attribute`
  if (keyword === 'enum') return `${path}: expected one of ${params?.allowedValues.join(', ')}`
  return `${path}: it ${message}`
}

import { badInput } from '../../../formats/errors.ts'
import { readLabels } from '../executions/execution.ts'
import type { AttributeSchema } from './artifact.kind.ts'

/** Attributes of kinds that start executions without a person. */
export const UNATTENDED: Readonly<Record<string, AttributeSchema>> = {
  target: { type: 'string' },
  environment: { type: 'string' },
  credentialsFrom: { type: 'string', maxLength: 255 },
  labels: { type: 'object', additionalProperties: { type: 'string' }, default: {} },
  enabled: { type: 'boolean', default: true },
}

/** @returns its labels @throws AppError BAD_USER_INPUT */
export function checkUnattended(
  kind: string,
  fields: Record<string, unknown>,
): Record<string, string> {
  const labels = fields.labels as Record<string, string> // by the schema
  if (Object.hasOwn(labels, kind))
    throw badInput(
      `labels: executions of a ${kind} have the label ${kind} with its id; leave it out`,
    )
  readLabels(Object.entries({ ...labels, [kind]: '' }).map(([name, value]) => ({ name, value })))
  if (fields.credentialsFrom !== undefined && fields.environment === undefined)
    throw badInput('environment: it is missing, and credentialsFrom names a secret of it')
  return labels
}

import { badInput } from '../../../../formats/errors.ts'
import type { ArtifactKind } from '../artifact.kind.ts'

const NAME = {
  type: 'string',
  pattern: '^_?[A-Za-z][A-Za-z0-9_.-]{0,98}$',
  description:
    'a name of at most 100 letters, digits, "_", "." and "-" that begins with a letter or "_"',
}

/** Surroundings of scenarios: addresses and values that differ from place to place, and permissions there. */
export const ENVIRONMENT: ArtifactKind = {
  name: 'environment',
  typeName: 'Environment',
  idSpace: 'environment',
  references: {},
  secrets: 'secrets',
  properties: {
    baseUrl: {
      type: 'string',
      maxLength: 2_000,
      pattern: '^https?://[^\\s/@?#]+(/[^\\s?#]*)?$',
      description:
        'an address that begins with http:// or https://, without user, query and fragment',
    },
    variables: {
      type: 'object',
      propertyNames: NAME,
      additionalProperties: { type: ['string', 'number', 'boolean'] },
      default: {},
    },
    secrets: {
      type: 'array',
      maxItems: 1_000,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: {
          name: NAME,
          value: { type: ['string', 'null'], maxLength: 65_536, writeOnly: true },
        },
      },
    },
    allowedHosts: {
      type: 'array',
      maxItems: 1_000,
      items: {
        type: 'string',
        maxLength: 300,
        pattern: '^((\\*\\.)?[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?$',
        description: 'a host such as api.example.com, *.example.com or [::1]:8443, without http://',
      },
      default: [],
    },
    runners: {
      type: 'array',
      items: { type: 'string', enum: ['CALL', 'HTTP', 'GRAPHQL', 'COMMAND'] },
      uniqueItems: true,
      default: ['CALL', 'HTTP', 'GRAPHQL'],
    },
  },
  required: [],
  check({ variables = {}, secrets = [] }) {
    const taken = new Set(Object.keys(variables as object))
    for (const { name } of secrets as { name: string }[])
      if (taken.has(name)) throw badInput(`secrets: ${name} is a variable already`)
  },
}

import { DURATION_PATTERN, durationMs } from '../../../../formats/duration.ts'
import { badInput } from '../../../../formats/errors.ts'
import { checkTemplate, TEXT_NAMES } from '../../../../platform/notification-template.ts'
import type { ArtifactKind } from '../artifact.kind.ts'
import { CHANNEL } from '../channel/channel.kind.ts'
import { checkStoredQuery } from '../stored-query.ts'

const DURATION = {
  type: 'string',
  pattern: DURATION_PATTERN,
  description: 'a duration such as 30s, 5m or 1h',
}

/** Longest durations: a group is judged again within this time. */
const MOST_MS = 30 * 86_400_000

/** A query over events, the changes that notify, and the channels that get them. */
export const RULE: ArtifactKind = {
  name: 'rule',
  typeName: 'Rule',
  idSpace: 'rule',
  references: { channels: CHANNEL },
  isForwarded: true,
  properties: {
    query: { type: 'string', maxLength: 4_000 },
    on: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: {
        type: 'string',
        enum: ['OPENED', 'REOPENED', 'REGRESSED', 'RAISED', 'ACKNOWLEDGED', 'RESOLVED'],
      },
      default: ['OPENED', 'REOPENED', 'RAISED', 'RESOLVED'],
    },
    groupBy: {
      type: 'array',
      maxItems: 5,
      uniqueItems: true,
      items: {
        type: 'string',
        maxLength: 200,
        pattern: '^(title|eventClass|source\\.(ref|type|name)|properties\\..+)$',
        description:
          'title, eventClass, source.ref, source.type, source.name, or properties. with the name of a property',
      },
      default: [],
    },
    groupWait: { ...DURATION, default: '30s' },
    groupInterval: { ...DURATION, default: '5m' },
    repeatInterval: DURATION,
    flappingAfter: { type: 'integer', minimum: 2, maximum: 100, default: 6 },
    flappingWithin: { ...DURATION, default: '15m' },
    channels: {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      items: { type: 'string' },
    },
    text: { type: 'string', maxLength: 1_000 },
    enabled: { type: 'boolean', default: true },
  },
  required: ['query', 'channels'],
  check({ query, text, ...fields }) {
    checkStoredQuery(query)
    if (text !== undefined) checkTemplate('text', String(text), TEXT_NAMES)
    const msOf = (name: string): number => {
      const ms = durationMs(String(fields[name]))
      if (ms > MOST_MS) throw badInput(`${name}: expected at most 30d`)
      return ms
    }
    const intervalMs = msOf('groupInterval')
    msOf('groupWait')
    msOf('flappingWithin')
    if (fields.repeatInterval !== undefined && msOf('repeatInterval') < Math.max(1, intervalMs))
      throw badInput(
        `repeatInterval: expected at least groupInterval (${fields.groupInterval}), and more than 0s: a repetition never comes sooner than news`,
      )
  },
}

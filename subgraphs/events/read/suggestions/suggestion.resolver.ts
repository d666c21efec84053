import { Arg, Int, Query, Resolver } from 'type-graphql'
import { AppError } from '../../../../formats/errors.ts'
import { holdsJsonbTexts } from '../../ingestion/jsonb-values.ts'
import {
  LOOKED_AT,
  PROPERTY_VALUES,
  type SuggestionRepository,
  VALUES,
} from './suggestion.repository.ts'
import { EventField, EventFieldValue } from './suggestion.type.ts'

const MAX_SUGGESTIONS = 100
const PROPERTY = 'properties.'
/** Fields whose values are not worth a list. */
const WITHOUT_VALUES = ['title', 'message', 'firstSeenAt', 'lastSeenAt', 'timesSeen']

/** Completions for a query bar. */
@Resolver()
export class SuggestionResolver {
  constructor(private readonly suggestions: SuggestionRepository) {}

  @Query(() => [EventField], {
    description: `Fields that queries of events may name: those of every event, then keys of properties of the ${LOOKED_AT} newest events, the most frequent first.`,
  })
  async eventFields(
    @Arg('prefix', () => String, {
      defaultValue: '',
      description: 'How the name begins, in any case.',
    })
    prefix: string,
    @Arg('first', () => Int, { defaultValue: 50, description: 'Fields at most, from 1 to 100.' })
    first: number,
  ): Promise<EventField[]> {
    requireUsable(prefix, first)
    const named = (names: readonly string[], hasValues: boolean) =>
      names.filter((name) => begins(name, prefix)).map((name) => ({ name, hasValues }))
    const own = [...named(Object.keys(VALUES), true), ...named(WITHOUT_VALUES, false)]
    const keys = await this.suggestions.keys(keyPrefix(prefix), first)
    return [
      ...own,
      ...named(
        keys.map((key) => PROPERTY + key),
        true,
      ),
    ].slice(0, first)
  }

  @Query(() => [EventFieldValue], {
    description: `Values of a field of the ${LOOKED_AT} newest events, the most frequent first. Empty for fields without a list of values.`,
  })
  eventFieldValues(
    @Arg('field', () => String, { description: 'The field, as `eventFields` names it.' })
    field: string,
    @Arg('prefix', () => String, {
      defaultValue: '',
      description: 'How the value begins, in any case.',
    })
    prefix: string,
    @Arg('first', () => Int, { defaultValue: 20, description: 'Values at most, from 1 to 100.' })
    first: number,
  ): Promise<EventFieldValue[]> {
    requireUsable(prefix, first)
    if (field.startsWith(PROPERTY) && holdsJsonbTexts(field)) {
      const key = field.slice(PROPERTY.length)
      return this.suggestions.values(PROPERTY_VALUES, [key], prefix, first)
    }
    if (WITHOUT_VALUES.includes(field)) return Promise.resolve([])
    const source = Object.hasOwn(VALUES, field) ? VALUES[field] : undefined
    if (!source) throw new AppError('BAD_USER_INPUT', `field: there is no field ${field}`)
    return this.suggestions.values(source, [], prefix, first)
  }
}

function requireUsable(prefix: string, first: number): void {
  if (first < 1 || first > MAX_SUGGESTIONS)
    throw new AppError('BAD_USER_INPUT', `first: expected 1 to ${MAX_SUGGESTIONS}`)
  if (!holdsJsonbTexts(prefix))
    throw new AppError('BAD_USER_INPUT', 'prefix: expected Unicode text without NUL')
}

const begins = (name: string, prefix: string): boolean =>
  name.toLowerCase().startsWith(prefix.toLowerCase())

/** Rest of the prefix for keys: `pro` begins every `properties.…`. */
const keyPrefix = (prefix: string): string =>
  begins(PROPERTY, prefix)
    ? ''
    : begins(prefix, PROPERTY)
      ? prefix.slice(PROPERTY.length)
      : '\u{10ffff}'

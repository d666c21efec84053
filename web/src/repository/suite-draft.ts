import type { CreateSuiteInput, RevisionFragment, SuiteDetailQuery } from '../graph/generated.ts'
import type { Named } from './forms/named-list.tsx'

export type Suite = NonNullable<SuiteDetailQuery['artifact']>

/** A suite as its form has it. */
export interface SuiteDraft {
  name: string
  description: string
  testCases: readonly Named[]
  /** At most one. */
  setup: readonly Named[]
  /** At most one. */
  teardown: readonly Named[]
  environments: readonly Named[]
  maxParallel: number
  haltAtFailure: boolean
}

export const NEW_SUITE: SuiteDraft = {
  name: '',
  description: '',
  testCases: [],
  setup: [],
  teardown: [],
  environments: [],
  maxParallel: 1,
  haltAtFailure: false,
}

const named = ({ id, name }: Named): Named => ({ id, name })

export const draftOfSuite = (suite: Suite): SuiteDraft => ({
  name: suite.name,
  description: suite.description ?? '',
  testCases: suite.testCases.map(named),
  setup: suite.setup ? [named(suite.setup)] : [],
  teardown: suite.teardown ? [named(suite.teardown)] : [],
  environments: suite.environments.map(named),
  maxParallel: suite.maxParallel,
  haltAtFailure: suite.haltAtFailure,
})

/** An earlier revision as a draft; what it names and the suite does not name any more is called by its id. */
export function draftOfEarlier(
  suite: Suite,
  { name, description, attributes }: RevisionFragment,
): SuiteDraft {
  const { testCases, setup, teardown, environments } = draftOfSuite(suite)
  const known = [testCases, setup, teardown, environments].flat()
  const namedBy = (ids: unknown): readonly Named[] =>
    [ids ?? []]
      .flat()
      .map(String)
      .map((id) => known.find((each) => each.id === id) ?? { id, name: id })
  return {
    name,
    description: description ?? '',
    testCases: namedBy(attributes.testCases),
    setup: namedBy(attributes.setup),
    teardown: namedBy(attributes.teardown),
    environments: namedBy(attributes.environments),
    maxParallel: Number(attributes.maxParallel ?? NEW_SUITE.maxParallel),
    haltAtFailure: attributes.haltAtFailure === true,
  }
}

const ids = (items: readonly Named[]): string[] => items.map(({ id }) => id)

/** Input for a draft. */
export const inputOfSuite = (draft: SuiteDraft) =>
  ({
    ...draft,
    description: draft.description || null,
    testCases: ids(draft.testCases),
    setup: draft.setup[0]?.id ?? null,
    teardown: draft.teardown[0]?.id ?? null,
    environments: ids(draft.environments),
  }) satisfies CreateSuiteInput

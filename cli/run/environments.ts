import type { Client } from '../client.ts'
import type { Result } from './result.ts'

interface Member {
  id: string
  environmentId: string | null
}

/** True if scenarios have several results, as those of a suite that runs in several environments. */
export const isInSeveral = ({ testCaseResults }: Result): boolean =>
  new Set(testCaseResults.map(({ contextId }) => contextId)).size < testCaseResults.length

/** Environments of the scenarios of a suite, by the ids of their results. @throws CommandError */
export async function environmentsOf(
  { id }: Pick<Result, 'id'>,
  client: Client,
): Promise<ReadonlyMap<string, string>> {
  const { executionResult } = await client.graphql<{
    executionResult: { testCaseResults: Member[] } | null
  }>('environments', { id }, { isRepeatable: true })
  const members = executionResult?.testCaseResults ?? []
  return new Map(members.map((each) => [each.id, each.environmentId ?? '']))
}

import type { FileArtifact } from '../../formats/artifact-files/file-artifact.ts'
import type { Client } from '../client.ts'
import { CommandError } from '../exit-codes.ts'

interface Given {
  contextId: string
  /** Null for what is stored. */
  artifacts: readonly FileArtifact[] | null
}

/** The same as a suite that runs once in each environment, made for the run. @throws CommandError */
export async function inEnvironments(
  { contextId, artifacts }: Given,
  environments: readonly string[],
  client: Client,
): Promise<{ contextId: string; artifacts: FileArtifact[] }> {
  const given = artifacts ?? []
  const isContext = ({ kind, id }: FileArtifact) =>
    id === contextId && (kind === 'suite' || kind === 'testcase')
  const own = given.find(isContext) ?? (await storedSuite(contextId, client))
  if (own?.kind === 'suite') {
    const others = given.filter((each) => !isContext(each))
    return { contextId, artifacts: [...others, { ...own, environments }] }
  }
  const id = `${contextId}-in-${environments.length}-environments`
  const suite = { kind: 'suite', id, testCases: [contextId], environments }
  return { contextId: id, artifacts: [...given, suite] }
}

async function storedSuite(id: string, client: Client): Promise<FileArtifact | null> {
  try {
    const path = `/suite/${encodeURIComponent(id)}`
    return { ...(await client.rest<FileArtifact>('GET', path)), kind: 'suite' }
  } catch (error) {
    if (error instanceof CommandError && error.code === 'NOT_FOUND') return null
    throw error
  }
}

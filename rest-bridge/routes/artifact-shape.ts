import { timestamp } from '../../formats/simple-result.ts'
import type { ArtifactResource } from './artifact-kinds.ts'

/** GraphQL fields of an artifact, the common ones first. */
export const artifactFields = ({ fields }: ArtifactResource): string =>
  `id name description revision created updated ${fields}`

/** Names of its attributes, without those of what it refers to. */
export const artifactAttributes = (resource: ArtifactResource): string[] =>
  artifactFields(resource)
    .replaceAll(/\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
    .split(/\s+/)

/** GraphQL fields of an earlier revision. */
export const REVISION = 'revision name description updated updatedBy attributes'

export interface ArtifactData extends Record<string, unknown> {
  id: string
  description: string | null
  revision: number
  created: string
  updated: string
}

/** The body of an artifact: what it refers to is named by id. */
export function artifactBody(
  { references }: ArtifactResource,
  artifact: ArtifactData,
): Record<string, unknown> {
  const ids = references.map((name) => [name, idsOf(artifact[name])])
  return {
    ...artifact,
    description: artifact.description ?? '',
    created: timestamp(artifact.created),
    updated: timestamp(artifact.updated),
    ...Object.fromEntries(ids),
    ...('lastRunAt' in artifact && timesOf(artifact)),
  }
}

const timesOf = ({ nextRuns, lastRunAt }: Record<string, unknown>) => ({
  ...(Array.isArray(nextRuns) && { nextRuns: nextRuns.map(timestamp) }),
  lastRunAt: lastRunAt === null ? null : timestamp(lastRunAt as string), // as the graph says
})

const idsOf = (referenced: unknown): unknown =>
  Array.isArray(referenced)
    ? referenced.map(idsOf)
    : ((referenced as { id: string } | null)?.id ?? null)

import { hash } from 'node:crypto'

/** An artifact as an execution has run it. */
export interface ArtifactRevision {
  /** `testcase`, `suite`, `component` or `environment`. */
  kind: string
  id: string
  revision: number
}

/** The same for executions that ran the same. */
export const digestOfRevisions = (revisions: readonly ArtifactRevision[]): string => {
  const texts = revisions.map(({ kind, id, revision }) => `${kind} ${id} ${revision}`)
  return hash('sha256', [...new Set(texts)].sort().join('\n'), 'base64url').slice(0, 22)
}

import { hash } from 'node:crypto'

/** An artifact as an execution has run it. */
export interface ArtifactRevision {
  /** `testcase`, `suite`, `component` or `environment`. */
  kind: string
  id: string
  /** 0 for one that was executed without being stored. */
  revision: number
}

/** The same for executions that ran the same; empty where one of them was not stored, which revision 0 says. */
export const digestOfRevisions = (revisions: readonly ArtifactRevision[]): string => {
  if (revisions.some(({ revision }) => revision === 0)) return ''
  const texts = revisions.map(({ kind, id, revision }) => `${kind} ${id} ${revision}`)
  return hash('sha256', [...new Set(texts)].sort().join('\n'), 'base64url').slice(0, 22)
}

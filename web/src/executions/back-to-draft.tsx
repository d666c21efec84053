import { Link } from '@tanstack/react-router'
import { DRAFT_ID } from '../repository/draft-id.ts'
import type { Scenario } from './tree.ts'

type Of = Pick<Scenario, 'contextId' | 'revisions' | 'startedBy'>

/** False for files, drafts and imports: no page of the repository has what ran. */
export const isStored = ({ contextId, revisions, startedBy }: Of): boolean =>
  startedBy !== 'IMPORT' &&
  revisions.every(({ artifactId, revision }) => artifactId !== contextId || revision > 0)

/** Leads from a try of the editor to the draft, which the page keeps. */
export const BackToDraft = ({ of: { contextId } }: { of: Of }) =>
  contextId === DRAFT_ID ? (
    <Link className="button" to="/repository/scenarios/+new">
      Back to the draft
    </Link>
  ) : (
    <Link className="button" to="/repository/scenarios/$id/edit" params={{ id: contextId }}>
      Back to the draft
    </Link>
  )

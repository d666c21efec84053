import { v7 as uuidv7 } from 'uuid'
import type { Suite } from '../artifacts/suite/suite.type.ts'
import type { TestCase } from '../artifacts/testcase/testcase.type.ts'
import { isSuite } from './execution.plan.ts'
import { type ArtifactRevision, digestOfRevisions } from './execution.snapshot.ts'
import type { Execution } from './execution.ts'
import type { PlannedMember } from './suite-run.ts'

type Given = Pick<
  Execution,
  'started' | 'executedBy' | 'open' | 'callback' | 'requestId' | 'labels'
>

/** An execution before it begins. */
export const newExecution = (
  context: TestCase | Suite,
  members: readonly PlannedMember[],
  given: Given,
): Execution => ({
  ...given,
  ...ranBy(context, members),
  id: uuidv7(),
  type: isSuite(context) ? 'SUITE' : 'TEST',
  contextId: context.id,
  contextName: context.name,
  state: 'RUNNING',
  attempt: 0,
  updateCount: 1,
  ended: null,
  message: null,
  errorCode: null,
  useCodeCoverage: members.some(({ useCodeCoverage }) => useCodeCoverage),
  suiteId: null,
  position: null,
  suite: null,
  detailsPruned: false,
  steps: [],
  validationFailures: [],
  codeCoverage: [],
  tries: [],
  isQuarantined: !isSuite(context) && context.quarantine,
})

/** A suite names its own revision, as its scenarios name theirs; its digest is of all of them. */
function ranBy(
  context: TestCase | Suite,
  members: readonly PlannedMember[],
): Pick<Execution, 'environmentId' | 'revisions' | 'revisionDigest'> {
  const inside = members.flatMap(({ snapshot }) => snapshot.revisions)
  const suite = { kind: 'suite', id: context.id, revision: context.revision }
  const all: ArtifactRevision[] = isSuite(context) ? [suite, ...inside] : inside
  const environments = new Set(members.map(({ snapshot }) => snapshot.environmentId))
  const [environmentId = null] = environments
  return {
    environmentId: environments.size === 1 ? environmentId : null,
    revisions: isSuite(context) ? [suite] : inside,
    revisionDigest: digestOfRevisions(all),
  }
}

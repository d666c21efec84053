import type * as run from '../../../../runner/run/run-scenario.ts'
import type { ArtifactRevision } from '../accept/snapshot.ts'

/** A step as the graph shows it: caches of clients key objects by type and id, so no other step has its id. */
export const graphStep = <Step extends run.StepResult>(owner: string, step: Step) => ({
  ...step,
  id: `${owner}/${step.path ?? step.id}`,
  stepId: step.id,
})

/** @param owner id of the execution; no id has the mark before the number of a try */
export const graphSteps = (owner: string, steps: readonly run.StepResult[], tried?: number) =>
  steps.map((step) => graphStep(tried === undefined ? owner : `${owner}#${tried}`, step))

export const graphRevision = (owner: string, { kind, id, revision }: ArtifactRevision) => ({
  ...{ id: `${owner}/${kind}/${id}`, kind, artifactId: id, revision },
})

import type { ExecutionRowFragment } from '../graph/generated.ts'

/** Marks of an execution beside its state. */
export const Marks = ({
  of: { isFlaky, isQuarantined },
}: {
  of: Pick<ExecutionRowFragment, 'isFlaky' | 'isQuarantined'>
}) => (
  <>
    {isFlaky && (
      <span className="badge warn" title="It succeeded only after a try that did not">
        Flaky
      </span>
    )}
    {isQuarantined && (
      <span className="badge" title="It makes no suite fail">
        Quarantine
      </span>
    )}
  </>
)

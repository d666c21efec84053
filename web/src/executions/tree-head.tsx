import { count, plural } from '../ui/format.ts'
import { Check } from '../ui/inputs.tsx'
import type { ExecutionView } from './execution-search.ts'
import { isFailed, type Node } from './tree.ts'

interface TreeHeadProps {
  nodes: readonly Node[]
  only: ExecutionView['only']
  onOnly(only: ExecutionView['only']): void
  /** Null where nothing runs. */
  isFollowing: boolean | null
  onFollow(isFollowing: boolean): void
}

/** Number of steps, and a choice of those that the tree shows. */
export function TreeHead({ nodes, only, onOnly, isFollowing, onFollow }: TreeHeadProps) {
  const steps = nodes.filter(({ hasChildren }) => !hasChildren)
  const failed = steps.filter(isFailed).length
  return (
    <header>
      <h2>{plural(steps.length, 'step')}</h2>
      {failed > 0 && failed < steps.length && (
        <Check
          className="chip small"
          label={`Only ${count(failed)} failed`}
          isOn={only === 'failed'}
          onChange={(isOn) => onOnly(isOn ? 'failed' : undefined)}
        />
      )}
      {isFollowing !== null && (
        <Check className="chip small" label="Follow" isOn={isFollowing} onChange={onFollow} />
      )}
    </header>
  )
}

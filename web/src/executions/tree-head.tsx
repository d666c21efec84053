import { count, plural } from '../ui/format.ts'
import type { ExecutionView } from './execution-search.ts'
import { isFailed, type Node } from './tree.ts'

interface TreeHeadProps {
  nodes: readonly Node[]
  only: ExecutionView['only']
  onOnly(only: ExecutionView['only']): void
}

/** How many steps there are, and which of them the tree shows. */
export function TreeHead({ nodes, only, onOnly }: TreeHeadProps) {
  const steps = nodes.filter(({ hasChildren }) => !hasChildren)
  const failed = steps.filter(isFailed).length
  return (
    <header>
      <h2>{plural(steps.length, 'step')}</h2>
      {failed > 0 && failed < steps.length && (
        <label className="chip small">
          <input
            type="checkbox"
            checked={only === 'failed'}
            onChange={({ target }) => onOnly(target.checked ? 'failed' : undefined)}
          />
          Only {count(failed)} not passed
        </label>
      )}
    </header>
  )
}

import { plural } from '../ui/format.ts'
import type { LogOf } from './execution-search.ts'
import type { Scenario } from './follow.ts'
import type { LogLine } from './log-line.ts'
import type { Node } from './tree.ts'

export const LEVEL_CHOICES: Readonly<
  Record<string, { title: string; levels: readonly LogLine['level'][] }>
> = {
  warn: { title: 'Warnings and errors', levels: ['WARN', 'ERROR'] },
  error: { title: 'Errors', levels: ['ERROR'] },
}

interface LogToolsProps {
  text: string
  onText(text: string): void
  level: string
  onLevel(level: string): void
  of: LogOf | undefined
  onOf(of: LogOf | undefined): void
  root: Scenario
  node: Node | undefined
  isRunning: boolean
  isFollowing: boolean
  onFollowing(isFollowing: boolean): void
  /** Lines that match; null until it is known. */
  count: number | null
}

/** Which lines of the log. */
export const LogTools = ({
  text,
  onText,
  level,
  onLevel,
  of,
  onOf,
  root,
  node,
  isRunning,
  isFollowing,
  onFollowing,
  count,
}: LogToolsProps) => (
  <div className="row log-tools">
    <input
      className="input grow"
      data-search
      aria-label="Search the log"
      placeholder="Search the log"
      value={text}
      onChange={({ target }) => onText(target.value)}
    />
    <select
      className="input"
      aria-label="Lines of"
      value={of ?? ''}
      onChange={({ target }) =>
        onOf(target.value === 'all' || target.value === 'step' ? target.value : undefined)
      }
    >
      {root.type === 'SUITE' && <option value="all">The suite itself</option>}
      <option value="">{root.type === 'SUITE' ? 'The scenario' : 'All steps'}</option>
      {node?.step && !isRunning && <option value="step">While {node.name} ran</option>}
    </select>
    <select
      className="input"
      aria-label="Levels"
      value={level}
      onChange={({ target }) => onLevel(target.value)}
    >
      <option value="">All levels</option>
      {Object.entries(LEVEL_CHOICES).map(([name, { title }]) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </select>
    {isRunning && (
      <label className="chip">
        <input
          type="checkbox"
          checked={isFollowing}
          onChange={({ target }) => onFollowing(target.checked)}
        />
        Follow
      </label>
    )}
    <span className="under number">{count === null ? '' : plural(count, 'line')}</span>
  </div>
)

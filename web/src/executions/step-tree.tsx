import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useRef } from 'react'
import { duration } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { useRowKeys } from '../ui/row-keys.ts'
import { StateIcon } from '../ui/state.tsx'
import { Marks } from './marks.tsx'
import { isOpen, type Node } from './tree.ts'

interface TreeProps {
  nodes: readonly Node[]
  toggled: ReadonlySet<string>
  selected: string | undefined
  onSelect(key: string): void
  onToggle(key: string): void
}

const ROW = 34

/** Scenarios and steps; arrows move, unfold and fold as in every tree. */
export function StepTree({ nodes, toggled, selected, onSelect, onToggle }: TreeProps) {
  const body = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: nodes.length,
    getScrollElement: () => body.current,
    estimateSize: () => ROW,
    overscan: 15,
  })
  useRowKeys(body, (index) => virtual.scrollToIndex(index))

  const focus = (index: number) => {
    virtual.scrollToIndex(index)
    requestAnimationFrame(() =>
      body.current
        ?.querySelector<HTMLElement>(`[data-index="${index}"] .node`)
        ?.focus({ preventScroll: true }),
    )
  }
  const onKey = (event: KeyboardEvent, node: Node, index: number) => {
    if (event.key === 'ArrowDown' && index < nodes.length - 1) focus(index + 1)
    else if (event.key === 'ArrowUp' && index > 0) focus(index - 1)
    else if (event.key === 'ArrowRight' && node.hasChildren && !isOpen(node, toggled))
      onToggle(node.key)
    else if (event.key === 'ArrowLeft' && node.hasChildren && isOpen(node, toggled))
      onToggle(node.key)
    else return
    event.preventDefault()
  }

  return (
    <div className="tree" ref={body} role="tree" aria-label="Steps">
      <div className="virtual" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const node = nodes[index]
          if (!node) return null
          const unfolded = isOpen(node, toggled)
          return (
            <div
              key={node.key}
              data-index={index}
              role="presentation"
              style={
                {
                  transform: `translateY(${start}px)`,
                  '--depth': node.depth,
                } as React.CSSProperties
              }
            >
              <button
                type="button"
                className="node"
                role="treeitem"
                aria-level={node.depth + 1}
                aria-selected={node.key === selected}
                aria-expanded={node.hasChildren ? unfolded : undefined}
                onClick={() =>
                  node.key === selected && node.hasChildren
                    ? onToggle(node.key)
                    : onSelect(node.key)
                }
                onKeyDown={(event) => onKey(event, node, index)}
              >
                <span className="twist">
                  {node.hasChildren && <Icon name={unfolded ? 'down' : 'right'} size={14} />}
                </span>
                <StateIcon state={node.state} />
                <span className="cut grow" title={node.name}>
                  {node.name}
                </span>
                {!node.step && <Marks of={node.scenario} />}
                {node.step && node.step.attachments.length > 0 && (
                  <span className="under" title="It left files">
                    <Icon name="download" size={12} />
                    <span className="hidden">with files</span>
                  </span>
                )}
                {node.durationMs !== null && (
                  <span className="under number">{duration(node.durationMs)}</span>
                )}
              </button>
            </div>
          )
        })}
      </div>
    </div>
  )
}

import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { duration } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { useRowKeys } from '../ui/row-keys.ts'
import { StateIcon } from '../ui/state.tsx'
import { Marks } from './marks.tsx'
import { placesOf } from './places.ts'
import { isOpen, type Node } from './tree.ts'

interface TreeProps {
  nodes: readonly Node[]
  toggled: ReadonlySet<string>
  selected: string | undefined
  /** A line that stays in sight, until the reader scrolls. */
  followed?: string
  onLeave?(): void
  onSelect(key: string): void
  onToggle(key: string): void
}

const ROW = 34

/** Scenarios and steps; keys move, unfold and fold as in every tree. */
export function StepTree({
  nodes,
  toggled,
  selected,
  followed,
  onLeave,
  onSelect,
  onToggle,
}: TreeProps) {
  const body = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<string>()
  const places = useMemo(() => placesOf(nodes), [nodes])
  const indexOf = (key: string | undefined) => nodes.findIndex((node) => node.key === key)
  /** Tab stops at the line that had the focus last. */
  const stop = [indexOf(current), indexOf(selected), 0].find((index) => index >= 0) ?? 0
  const virtual = useVirtualizer({
    count: nodes.length,
    getScrollElement: () => body.current,
    estimateSize: () => ROW,
    overscan: 15,
    // The line with the focus stays in the page wherever the reader scrolls: the focus would be lost with it.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), stop])].sort(byNumber),
  })
  useRowKeys(body, (index) => virtual.scrollToIndex(index))

  const place = followed === undefined ? -1 : indexOf(followed)
  useEffect(() => {
    if (place >= 0) virtual.scrollToIndex(place)
  }, [place, virtual])

  const focus = (index: number) => {
    const node = nodes[index]
    if (!node) return
    flushSync(() => setCurrent(node.key))
    body.current
      ?.querySelector<HTMLElement>(`[data-index="${index}"] .node`)
      ?.focus({ preventScroll: true })
    virtual.scrollToIndex(index)
  }
  const onKey = (event: KeyboardEvent, node: Node, index: number) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    onLeave?.()
    const last = nodes.length - 1
    const page = Math.max(1, Math.floor((body.current?.clientHeight ?? 0) / ROW) - 1)
    if (event.key === 'ArrowDown') focus(index + 1)
    else if (event.key === 'ArrowUp') focus(index - 1)
    else if (event.key === 'Home') focus(0)
    else if (event.key === 'End') focus(last)
    else if (event.key === 'PageUp') focus(Math.max(0, index - page))
    else if (event.key === 'PageDown') focus(Math.min(last, index + page))
    else if (event.key === 'ArrowRight' && node.hasChildren && !isOpen(node, toggled))
      onToggle(node.key)
    else if (event.key === 'ArrowLeft' && node.hasChildren && isOpen(node, toggled))
      onToggle(node.key)
    else return
    event.preventDefault()
  }

  return (
    <div
      className="tree"
      ref={body}
      role="tree"
      aria-label="Steps"
      onWheel={onLeave}
      onPointerDown={onLeave}
    >
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
                tabIndex={index === stop ? 0 : -1}
                aria-level={node.depth + 1}
                aria-posinset={places[index]?.position}
                aria-setsize={places[index]?.siblings.count}
                aria-selected={node.key === selected}
                aria-expanded={node.hasChildren ? unfolded : undefined}
                onClick={() =>
                  node.key === selected && node.hasChildren
                    ? onToggle(node.key)
                    : onSelect(node.key)
                }
                onFocus={() => setCurrent(node.key)}
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

const byNumber = (a: number, b: number) => a - b

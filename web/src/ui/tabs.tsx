import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'

export interface Tab<Name extends string> {
  name: Name
  title: ReactNode
}

interface TabsProps<Name extends string> {
  label: string
  tabs: readonly Tab<Name>[]
  current: Name
  onChange(name: Name): void
  children: ReactNode
}

/** Tabs as the ARIA practices have them: arrows move, the panel follows. */
export function Tabs<Name extends string>({
  label,
  tabs,
  current,
  onChange,
  children,
}: TabsProps<Name>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  // The current tab is in sight where there is no room for all.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab stands elsewhere
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected=true]')
    if (!list.current || !tab) return
    const { left, right } = list.current.getBoundingClientRect()
    const place = tab.getBoundingClientRect()
    list.current.scrollLeft += Math.min(0, place.left - left) + Math.max(0, place.right - right)
  }, [current])
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    const at = tabs.findIndex(({ name }) => name === current)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (!next) return
    onChange(next.name)
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${id}-${next.name}`)}`)?.focus()
  }
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} onKeyDown={move} ref={list}>
        {tabs.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === current}
            aria-controls={`${id}-panel`}
            tabIndex={name === current ? 0 : -1}
            onClick={() => onChange(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${current}`}
        className="stack grow panel"
      >
        {children}
      </div>
    </>
  )
}

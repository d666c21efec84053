/** True if keys are text, not commands. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true
  const target = event.composedPath()[0]
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
      target.closest('dialog') !== null)
  )
}

/** Ctrl-K or ⌘K, in fields too, unless an editor has taken it. */
export const isFind = ({
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
  key,
  defaultPrevented,
}: KeyboardEvent) =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k' && !defaultPrevented

/** Keys that follow `g`. */
export const JUMPS: Readonly<Record<string, { to: string; name: string }>> = {
  o: { to: '/', name: 'Overview' },
  e: { to: '/executions', name: 'Executions' },
  v: { to: '/events', name: 'Events' },
  s: { to: '/repository/scenarios', name: 'Scenarios' },
  u: { to: '/repository/suites', name: 'Suites' },
  c: { to: '/repository/components', name: 'Components' },
  t: { to: '/trends', name: 'Trends' },
}

/** Time that `g` waits for the next key. */
export const JUMP_MS = 1_500

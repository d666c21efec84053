import { type ReactNode, useSyncExternalStore } from 'react'
import { Icon } from './icon.tsx'

interface Toast {
  id: number
  tone: 'good' | 'bad'
  text: string
}

const SHOWN_MS = 6_000
let toasts: readonly Toast[] = []
let said = ''
let last = 0
const listeners = new Set<() => void>()

const changed = () => {
  for (const listener of listeners) listener()
}

/** Shows what became of an action, and says it in the live region. */
export function toast(tone: Toast['tone'], text: string): void {
  const id = ++last
  toasts = [...toasts.slice(-3), { id, tone, text }]
  say(text)
  setTimeout(() => {
    toasts = toasts.filter((each) => each.id !== id)
    changed()
  }, SHOWN_MS)
}

/** Says something to those who do not see the page. */
export function say(text: string): void {
  said = text
  changed()
}

/** Runs an action of a button, and shows what it says or why it failed. */
export async function attempt(
  action: () => Promise<string | undefined> | Promise<void>,
): Promise<void> {
  try {
    const text = await action()
    if (text) toast('good', text)
  } catch (error) {
    toast('bad', error instanceof Error ? error.message : String(error))
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The one live region of the page, and the messages. @param children what stays until it is over */
export function Toasts({ children }: { children: ReactNode }) {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  const text = useSyncExternalStore(subscribe, () => said)
  return (
    <>
      <div className="hidden" aria-live="polite" aria-atomic="true">
        {text}
      </div>
      <div className="toasts">
        {shown.map(({ id, tone, text }) => (
          <div key={id} className={`notice ${tone}`}>
            <Icon name={tone === 'good' ? 'check' : 'alert'} />
            <span>{text}</span>
          </div>
        ))}
        {children}
      </div>
    </>
  )
}

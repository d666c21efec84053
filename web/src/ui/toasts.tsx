import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { createStore } from './store.ts'

interface Toast {
  id: number
  tone: 'good' | 'bad'
  text: string
}

const SHOWN_MS = 6_000
const toasts = createStore<readonly Toast[]>([])
const said = createStore('')
let last = 0

/** Shows what became of an action, and says it in the live region. */
export function toast(tone: Toast['tone'], text: string): void {
  const id = ++last
  toasts.set([...toasts.get().slice(-3), { id, tone, text }])
  say(text)
  setTimeout(() => toasts.set(toasts.get().filter((each) => each.id !== id)), SHOWN_MS)
}

/** Says something to those who do not see the page. */
export const say = said.set

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

/** The one live region of the page, and the messages. @param children what stays until it is over */
export function Toasts({ children }: { children: ReactNode }) {
  const shown = toasts.use()
  const text = said.use()
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

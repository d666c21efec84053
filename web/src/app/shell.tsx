import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useAnnounced } from '../events/announce.ts'
import { useIsSignInNeeded } from '../graph/session.ts'
import { Button } from '../ui/parts.tsx'
import { QuestionDialog } from '../ui/question.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { useDrops } from './drops.ts'
import { Help } from './help.tsx'
import { isFind, isTyping, JUMP_MS, JUMPS } from './keyboard.ts'
import { Mark, Menu } from './menu.tsx'
import { Offline } from './offline.tsx'
import { SignIn } from './sign-in.tsx'

const Finder = lazy(() => import('./finder.tsx'))
const Announcer = lazy(() => import('../events/announcer.tsx'))

/** Surroundings of every page: menu, keyboard, sign-in, messages. */
export function Shell() {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [isFinderOpen, setFinderOpen] = useState(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const isSignInNeeded = useIsSignInNeeded()
  const isAnnouncing = useAnnounced() !== null
  useShellKeys(
    () => setHelpOpen(true),
    () => !isSignInNeeded && setFinderOpen(true),
  )
  useFocusOnNewPage(path)
  useDrops()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(() => setMenuOpen(false), [path])

  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="topbar">
        <Link to="/" className="brand">
          <Mark />
          Assay
        </Link>
        <Button
          look="plain"
          icon={isMenuOpen ? 'cross' : 'menu'}
          aria-expanded={isMenuOpen}
          aria-controls="menu"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          Menu
        </Button>
      </header>
      <Menu isOpen={isMenuOpen} onHelp={() => setHelpOpen(true)} />
      <main id="main" className="main" tabIndex={-1}>
        {isSignInNeeded ? <SignIn /> : <Outlet />}
      </main>
      {isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}
      {isFinderOpen && (
        <Suspense>
          <Finder onClose={() => setFinderOpen(false)} />
        </Suspense>
      )}
      {!isSignInNeeded && isAnnouncing && (
        <Suspense>
          <Announcer />
        </Suspense>
      )}
      <QuestionDialog />
      <Toasts>
        <Offline />
      </Toasts>
    </div>
  )
}

/** A new page is announced by its heading, which gets the focus. */
function useFocusOnNewPage(path: string) {
  const before = useRef(path)
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true }),
    )
  }, [path])
}

/** Leaves a field. Dialogs close by themselves, and an editor closes its completion. */
function leave(event: KeyboardEvent) {
  const { activeElement: element } = document
  const isInside = element?.shadowRoot || document.querySelector('dialog[open]')
  if (!event.defaultPrevented && !isInside && element instanceof HTMLElement) element.blur()
}

function useShellKeys(onHelp: () => void, onFind: () => void) {
  const navigate = useNavigate()
  const jump = useRef(0)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      leave(event)
      return
    }
    if (isFind(event)) {
      event.preventDefault()
      if (!document.querySelector('dialog[open]')) onFind()
      return
    }
    if (isTyping(event)) return
    const target = JUMPS[event.key]
    if (target && event.timeStamp - jump.current < JUMP_MS) void navigate({ to: target.to })
    else if (event.key === '?') onHelp()
    else if (event.key === '/') document.querySelector<HTMLElement>('[data-search]')?.focus()
    else if (event.key === 'g') jump.current = event.timeStamp
    else return
    event.preventDefault()
    if (event.key !== 'g') jump.current = 0
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

import { Link } from '@tanstack/react-router'
import { SETTINGS } from '../graph/settings.ts'
import { useConnection } from '../graph/socket.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Button } from '../ui/parts.tsx'
import { MenuViews } from '../views/menu-views.tsx'
import { Account, useMay } from './account.tsx'
import { applyTheme, type Theme, useTheme } from './theme.ts'

interface Item {
  to: string
  name: string
  icon: IconName
  /** Permission that its page needs; absent where every reader may see it. */
  permission?: string
}

const GROUPS: readonly { name: string | null; items: readonly Item[] }[] = [
  {
    name: null,
    items: [
      { to: '/', name: 'Overview', icon: 'overview' },
      { to: '/executions', name: 'Executions', icon: 'play' },
      { to: '/events', name: 'Events', icon: 'bell' },
      { to: '/trends', name: 'Trends', icon: 'trend' },
    ],
  },
  {
    name: 'Repository',
    items: [
      { to: '/repository/scenarios', name: 'Scenarios', icon: 'list' },
      { to: '/repository/suites', name: 'Suites', icon: 'layers' },
      { to: '/repository/schedules', name: 'Schedules', icon: 'clock' },
      { to: '/repository/triggers', name: 'Triggers', icon: 'bolt' },
      { to: '/repository/components', name: 'Components', icon: 'box' },
      { to: '/repository/environments', name: 'Environments', icon: 'globe' },
    ],
  },
  {
    name: 'Notifications',
    items: [
      { to: '/notifications/rules', name: 'Rules', icon: 'bell' },
      { to: '/notifications/channels', name: 'Channels', icon: 'send' },
      { to: '/notifications/silences', name: 'Silences', icon: 'skip' },
      { to: '/notifications/receivers', name: 'Receivers', icon: 'list' },
      { to: '/notifications/heartbeats', name: 'Heartbeats', icon: 'clock' },
    ],
  },
  {
    name: 'Operation',
    items: [
      { to: '/callbacks', name: 'Callbacks', icon: 'send', permission: 'callbacks:manage' },
      { to: '/administration', name: 'Administration', icon: 'shield' },
    ],
  },
  {
    name: 'Configuration',
    items: [
      { to: '/configuration/settings', name: 'Settings and limits', icon: 'gear' },
      { to: '/configuration/about', name: 'About', icon: 'info' },
    ],
  },
]

/** All of them, without the groups. */
export const PAGES: readonly Item[] = GROUPS.flatMap(({ items }) => items)

/** Pages of their own, outside the client. */
const TOOLS: readonly Item[] = [
  { to: `${SETTINGS.apiRoot}/swagger-ui.html`, name: 'API Explorer', icon: 'code' },
  { to: '/graphql', name: 'GraphiQL', icon: 'code' },
]

export const Menu = ({ isOpen, onHelp }: { isOpen: boolean; onHelp(): void }) => (
  <aside className={`side ${isOpen ? 'open' : ''}`} id="menu" aria-label="Menu and connection">
    <Link to="/" className="brand">
      <Mark />
      Assay
    </Link>
    <nav className="menu" aria-label="Main">
      {GROUPS.map(({ name, items }) => (
        <div key={name} className="menu">
          {name && <div className="group">{name}</div>}
          {items.map((item) => (
            <Entry key={item.to} {...item} />
          ))}
          {name === null && <MenuViews />}
          {name === 'Configuration' &&
            TOOLS.map(({ to, name, icon }) => (
              <a key={to} href={to}>
                <Icon name={icon} />
                {name}
              </a>
            ))}
        </div>
      ))}
    </nav>
    <div className="side-foot">
      <Account />
      <div>
        <Live />
        <div className="row tight">
          <ThemeSwitch />
          <Button look="plain" small title="Keyboard shortcuts" onClick={onHelp}>
            <kbd>?</kbd>
            <span className="hidden">Keyboard shortcuts</span>
          </Button>
        </div>
      </div>
    </div>
  </aside>
)

const Entry = ({ to, name, icon, permission }: Item) =>
  useMay(permission) && (
    <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
      <Icon name={icon} />
      {name}
    </Link>
  )

const WORDS = { idle: 'Ready', live: 'Live', lost: 'Reconnecting' }

function Live() {
  const connection = useConnection()
  return (
    <span className="row tight">
      <span className={`dot ${connection}`} />
      {WORDS[connection]}
    </span>
  )
}

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }
const THEME_ICON = { system: 'contrast', light: 'sun', dark: 'moon' } as const

function ThemeSwitch() {
  const theme = useTheme()
  const name = `Theme: ${theme}. Switch to ${NEXT[theme]}`
  return (
    <Button
      look="plain"
      small
      icon={THEME_ICON[theme]}
      title={name}
      onClick={() => applyTheme(NEXT[theme])}
    >
      <span className="hidden">{name}</span>
    </Button>
  )
}

export const Mark = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="#2f5bea" />
    <path
      d="M8 23 16 8l8 15"
      fill="none"
      stroke="#fff"
      strokeWidth="3"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
    <path
      d="m12 18.5 3 3 6-6.5"
      fill="none"
      stroke="#9fe3b4"
      strokeWidth="2.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
)

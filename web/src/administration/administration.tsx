import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Missing, useMay } from '../app/account.tsx'
import { SETTINGS } from '../graph/settings.ts'
import { Empty, Page } from '../ui/parts.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Accounts } from './accounts.tsx'
import { Audit } from './audit.tsx'
import { TABS } from './search.ts'
import { Sessions } from './sessions.tsx'
import { Tokens } from './tokens.tsx'

const route = getRouteApi('/administration')

/** Accounts, their tokens and sessions, and who did what. */
export default function Administration() {
  const navigate = useNavigate()
  const may = { accounts: useMay('accounts:manage'), audit: useMay('audit:read') }
  const { tab = may.audit ? 'audit' : 'tokens' } = route.useSearch()
  const isAllowed = (name: string) => may[name as keyof typeof may] ?? true // the keys are names of tabs
  const isKeptHere = SETTINGS.authMode === 'users'
  const hasSessions = isKeptHere || SETTINGS.authMode === 'oidc'
  return (
    <Page title="Administration">
      <Tabs
        label="Administration"
        tabs={TABS.filter(({ name }) => name === tab || isAllowed(name))}
        current={tab}
        onChange={(name) => void navigate({ to: '/administration', search: { tab: name } })}
      >
        {!isAllowed(tab) ? (
          <Missing
            permission={tab === 'audit' ? 'audit:read' : 'accounts:manage'}
            title="This is for administrators"
          />
        ) : tab === 'audit' ? (
          <Audit />
        ) : tab === 'sessions' && hasSessions ? (
          <Sessions />
        ) : !isKeptHere ? (
          <Elsewhere />
        ) : tab === 'tokens' ? (
          <Tokens />
        ) : (
          <Accounts />
        )}
      </Tabs>
    </Page>
  )
}

const WHERE: Readonly<Record<string, string>> = {
  none: 'AUTH_MODE is none: everybody who reaches this address may do everything. Start with AUTH_MODE=users to keep accounts here.',
  proxy: 'AUTH_MODE is proxy: the server in front of Assay keeps accounts and sessions.',
  oidc: 'AUTH_MODE is oidc: the OpenID Connect issuer keeps accounts.',
}

const Elsewhere = () => (
  <Empty icon="shield" title="Assay keeps no accounts in this mode">
    <p>{WHERE[SETTINGS.authMode]}</p>
  </Empty>
)

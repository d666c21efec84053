import type { ReactNode } from 'react'
import type { IconName } from '../ui/icon.tsx'
import { Crumb, Empty, Page } from '../ui/parts.tsx'
import { Loading, Problem } from '../ui/waiting.tsx'

interface Kind {
  /** What one of them is called, such as scenario. */
  noun: string
  icon: IconName
  /** The page above it. */
  list: { to: string; title: string }
}

/** Kinds of artifacts as pages show them. */
export const KINDS = {
  scenario: {
    noun: 'scenario',
    icon: 'list',
    list: { to: '/repository/scenarios', title: 'Scenarios' },
  },
  suite: { noun: 'suite', icon: 'layers', list: { to: '/repository/suites', title: 'Suites' } },
  component: {
    noun: 'component',
    icon: 'box',
    list: { to: '/repository/components', title: 'Components' },
  },
  environment: {
    noun: 'environment',
    icon: 'globe',
    list: { to: '/repository/environments', title: 'Environments' },
  },
} as const satisfies Record<string, Kind>

export const crumbOf = ({ list }: Kind) => <Crumb to={list.to}>{list.title}</Crumb>

interface ReadingProps<Found> {
  kind: Kind
  reading: { error: string | null; isLoading: boolean; reload(): void }
  found: Found | null | undefined
  children(found: Found): ReactNode
}

/** The page of an artifact: while it is read, where reading fails, and where there is none. */
export function Reading<Found>({ kind, reading, found, children }: ReadingProps<Found>) {
  const { noun, icon } = kind
  const { error, isLoading, reload } = reading
  if (found) return children(found)
  return (
    <Page title={noun[0]?.toUpperCase() + noun.slice(1)} crumbs={crumbOf(kind)}>
      {error ? (
        <Problem message={error} retry={reload} />
      ) : isLoading ? (
        <Loading />
      ) : (
        <Empty icon={icon} title={`There is no such ${noun}`} />
      )}
    </Page>
  )
}

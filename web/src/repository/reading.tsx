import { Link, useParams } from '@tanstack/react-router'
import type { TypedDocumentNode } from '@urql/core'
import type { ReactNode } from 'react'
import { useMay } from '../app/account.tsx'
import { useRead } from '../graph/use-read.ts'
import type { IconName } from '../ui/icon.tsx'
import { Empty, Page } from '../ui/parts.tsx'
import { Loading, Problem } from '../ui/waiting.tsx'

interface Kind {
  /** Name of one of them, such as scenario. */
  noun: string
  icon: IconName
  /** The page above it. */
  list: { to: string; title: string }
  /** The page of a new one; no id can have its name. */
  creator?: string
  /** Permission to change one, where it is another than that of most. */
  permission?: string
}

/** Kinds of artifacts as pages show them: their list, and the pages of one, of a change of it and of a new one. */
export const KINDS = {
  scenario: {
    noun: 'scenario',
    icon: 'list',
    list: { to: '/repository/scenarios', title: 'Scenarios' },
    page: '/repository/scenarios/$id',
    editor: '/repository/scenarios/$id/edit',
    creator: '/repository/scenarios/+new',
  },
  suite: {
    noun: 'suite',
    icon: 'layers',
    list: { to: '/repository/suites', title: 'Suites' },
    page: '/repository/suites/$id',
    editor: '/repository/suites/$id/edit',
    creator: '/repository/suites/+new',
  },
  component: {
    noun: 'component',
    icon: 'box',
    list: { to: '/repository/components', title: 'Components' },
    page: '/repository/components/$id',
    editor: '/repository/components/$id',
    creator: '/repository/components/+new',
  },
  environment: {
    noun: 'environment',
    icon: 'globe',
    list: { to: '/repository/environments', title: 'Environments' },
    page: '/repository/environments/$id',
    editor: '/repository/environments/$id/edit',
    creator: '/repository/environments/+new',
  },
  schedule: {
    noun: 'schedule',
    icon: 'clock',
    list: { to: '/repository/schedules', title: 'Schedules' },
    page: '/repository/schedules/$id',
    editor: '/repository/schedules/$id/edit',
    creator: '/repository/schedules/+new',
  },
  trigger: {
    noun: 'trigger',
    icon: 'bolt',
    list: { to: '/repository/triggers', title: 'Triggers' },
    page: '/repository/triggers/$id',
    editor: '/repository/triggers/$id/edit',
    creator: '/repository/triggers/+new',
  },
  channel: {
    noun: 'channel',
    icon: 'send',
    list: { to: '/notifications/channels', title: 'Channels' },
    page: '/notifications/channels/$id',
    editor: '/notifications/channels/$id/edit',
    creator: '/notifications/channels/+new',
    permission: 'channels:manage',
  },
  receiver: {
    noun: 'receiver',
    icon: 'list',
    list: { to: '/notifications/receivers', title: 'Receivers' },
    page: '/notifications/receivers/$id',
    editor: '/notifications/receivers/$id/edit',
    creator: '/notifications/receivers/+new',
    permission: 'channels:manage',
  },
  rule: {
    noun: 'rule',
    icon: 'bell',
    list: { to: '/notifications/rules', title: 'Rules' },
    page: '/notifications/rules/$id',
    editor: '/notifications/rules/$id/edit',
    creator: '/notifications/rules/+new',
  },
  silence: {
    noun: 'silence',
    icon: 'clock',
    list: { to: '/notifications/silences', title: 'Silences' },
    page: '/notifications/silences/$id',
    editor: '/notifications/silences/$id/edit',
    creator: '/notifications/silences/+new',
  },
} as const satisfies Record<string, Kind & Record<'page' | 'editor' | 'creator', string>>

/** Kinds of artifacts. */
export type ArtifactKind = (typeof KINDS)[keyof typeof KINDS]

/** True if the user may change artifacts of a kind. */
export const useMayChange = ({ permission = 'artifacts:write' }: Kind): boolean =>
  useMay(permission)

export const titleOf = ({ noun }: Kind) => noun[0]?.toUpperCase() + noun.slice(1)

export const crumbOf = ({ list }: Kind) => <Link to={list.to}>{list.title}</Link>

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
  const mayWrite = useMayChange(kind)
  if (found) return children(found)
  return (
    <Page title={titleOf(kind)} crumbs={crumbOf(kind)}>
      {error ? (
        <Problem message={error} retry={reload} />
      ) : isLoading ? (
        <Loading />
      ) : (
        <Empty icon={icon} title={`There is no such ${noun}`}>
          {kind.creator && mayWrite && <Link to={kind.creator}>New {noun}</Link>}
        </Empty>
      )}
    </Page>
  )
}

interface StoredArtifactProps<Found> extends Pick<ReadingProps<Found>, 'children'> {
  kind: ArtifactKind
  document: TypedDocumentNode<{ artifact: Found | null }, { id: string }>
}

/** The artifact that the address names, as it is stored. */
export function StoredArtifact<Found>({ kind, document, children }: StoredArtifactProps<Found>) {
  const { id = '' } = useParams({ strict: false })
  const reading = useRead(document, { id })
  return (
    <Reading kind={kind} reading={reading} found={reading.data?.artifact}>
      {children}
    </Reading>
  )
}

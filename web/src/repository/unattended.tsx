import { Link } from '@tanstack/react-router'
import type { TypedDocumentNode } from '@urql/core'
import type { ReactNode } from 'react'
import { useMay } from '../app/account.tsx'
import { Run } from '../executions/run.tsx'
import { RunWith } from '../executions/run-with.tsx'
import { change } from '../graph/client.ts'
import { ResumeSchedulesDocument, SchedulesPausedDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { Button, Card, Fact } from '../ui/parts.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'
import { attempt } from '../ui/toasts.tsx'
import { ArtifactFact, ArtifactPage, RevisionFacts } from './artifact-page.tsx'
import { type ArtifactKind, KINDS } from './reading.tsx'
import type { RevisionsProps } from './revisions.tsx'
import type { Unattended } from './unattended-draft.ts'

interface Started extends Unattended {
  target: Unattended['target'] & { __typename?: string }
  updated: string
  storedBy: string
  lastRunAt: string | null
  lastResultId: string | null
  failure: string | null
}

interface UnattendedPageProps {
  kind: ArtifactKind
  artifact: RevisionsProps['artifact'] & Started
  /** Input that stores it as it is. */
  input: Record<string, unknown>
  setEnabled(enabled: boolean): Promise<unknown>
  remove: TypedDocumentNode<unknown, { id: string }>
  /** Facts about what starts it. */
  facts: ReactNode
  /** Cards about what starts it. */
  children: ReactNode
}

/** The page of a schedule or trigger: its target, its rights, and what it started last. */
export function UnattendedPage({
  kind,
  artifact,
  input: { name: _, description: __, ...attributes },
  setEnabled,
  remove,
  facts,
  children,
}: UnattendedPageProps) {
  const { target, environment, enabled, failure } = artifact
  const isSuite = target.__typename === 'Suite'
  const mayWrite = useMay('artifacts:write')
  const pause = () => attempt(async () => void (await setEnabled(!enabled)))
  return (
    <ArtifactPage
      kind={kind}
      artifact={artifact}
      attributes={attributes}
      remove={remove}
      actions={
        <>
          {mayWrite && <Button onClick={pause}>{enabled ? 'Pause' : 'Enable'}</Button>}
          <RunWith contextId={target.id} isSuite={isSuite} />
          <Run contextId={target.id} look="primary" />
        </>
      }
      facts={
        <>
          {facts}
          <ArtifactFact
            name={isSuite ? 'Suite' : 'Scenario'}
            kind={isSuite ? KINDS.suite : KINDS.scenario}
            of={target}
          />
          <ArtifactFact name="Environment" kind={KINDS.environment} of={environment} />
          <Fact name="Runs with the rights of">{artifact.storedBy}</Fact>
          <RevisionFacts {...artifact} />
        </>
      }
    >
      {failure && (
        <div className="notice bad" role="alert">
          {failure}
        </div>
      )}
      <div className="two">
        {children}
        <LastRun kind={kind} of={artifact} />
      </div>
    </ArtifactPage>
  )
}

const LastRun = ({ kind, of }: { kind: ArtifactKind; of: Started & { id: string } }) => (
  <Card title="Last run">
    <div className="row body">
      {of.lastRunAt && of.lastResultId ? (
        <>
          <Link to="/executions/$id" params={{ id: of.lastResultId }}>
            <Ago at={of.lastRunAt} />
          </Link>
          <Link to="/executions" search={{ label: `${kind.noun}=${of.id}` }}>
            All its runs
          </Link>
        </>
      ) : (
        <span className="faint">It has not run yet</span>
      )}
    </div>
  </Card>
)

/** When it started something last, or that its last time started nothing. */
export const ranColumn = <
  Row extends { lastRunAt: string | null; failure: string | null },
>(): Column<Row> => ({
  title: 'Last run',
  width: '9rem',
  cell: ({ lastRunAt, failure }) =>
    failure ? (
      <span className="fault cut" title={failure}>
        Started nothing
      </span>
    ) : (
      lastRunAt && <Ago at={lastRunAt} />
    ),
})

/** Why none runs, and for administrators the way out of it. */
export function Paused() {
  const mayResume = useMay('accounts:manage')
  const { data, reload } = useRead(SchedulesPausedDocument, {})
  const reason = data?.schedulesPaused
  if (!reason) return null
  const resume = () =>
    attempt(async () => {
      await change(ResumeSchedulesDocument, {})
      reload()
    })
  return (
    <div className="notice bad row" role="alert">
      <span className="grow">No schedule and no trigger runs. {reason}.</span>
      {mayResume && <Button onClick={resume}>Resume</Button>}
    </div>
  )
}

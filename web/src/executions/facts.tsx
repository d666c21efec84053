import { Link } from '@tanstack/react-router'
import { type ArtifactKind, KINDS, titleOf } from '../repository/reading.tsx'
import { plural } from '../ui/format.ts'
import { Fact } from '../ui/parts.tsx'
import { lookOf, StateIcon } from '../ui/state.tsx'
import { Ago, Took } from '../ui/time.tsx'
import { ORIGINS, stateOf } from './search.ts'
import type { Node, Scenario } from './tree.ts'

/** Kinds of artifacts as REST calls them. */
const ARTIFACTS: Readonly<Record<string, ArtifactKind>> = { ...KINDS, testcase: KINDS.scenario }

/** Facts about an execution: artifact, environment, user and end. */
export const Facts = ({ root, shown }: { root: Scenario; shown: Node | undefined }) => (
  <>
    <dl className="facts wide">
      <Fact name="Started">
        <Ago at={root.started} />
      </Fact>
      <Fact name="Duration">
        <Took of={root} />
      </Fact>
      <Fact name="By">{root.executedBy}</Fact>
      {root.environment && (
        <Fact name="Environment">
          <Link
            to={KINDS.environment.page}
            params={{ id: root.environment.id }}
            title={root.environment.id}
          >
            {root.environment.name}
          </Link>
        </Fact>
      )}
      {root.startedBy !== 'USER' && (
        <Fact name="Origin">
          <Origin {...root} />
        </Fact>
      )}
      <Result name="Repeats" of={root.againOf} />
      <Result name="Repeated by" of={root.again} />
      {root.revisions.map(({ artifactId: id, kind, revision, name }) => {
        const artifact = ARTIFACTS[kind]
        return (
          artifact &&
          id !== root.environment?.id && (
            <Fact key={`${kind} ${id}`} name={titleOf(artifact)}>
              {revision === 0 ? (
                `${id}, not stored`
              ) : (
                <Link
                  to={artifact.page}
                  params={{ id }}
                  title={`It ran revision ${revision} of ${id}`}
                >
                  {name ?? id} <span className="faint">r{revision}</span>
                </Link>
              )}
            </Fact>
          )
        )
      })}
      {root.labels.map(({ name, value }) => (
        <Fact key={name} name={name}>
          <Link to="/executions" search={{ label: `${name}=${value}` }}>
            {value}
          </Link>
        </Fact>
      ))}
      {root.type === 'SUITE' && (
        <Fact name="Scenarios">
          {root.progress.scenariosEnded} of {root.progress.scenarios} ended
        </Fact>
      )}
    </dl>
    {root.message && root.state !== 'RUNNING' && !(shown && isSaidBelow(root.message, shown)) && (
      <div className={`notice ${lookOf(stateOf(root)).tone}`}>{root.message}</div>
    )}
    <Skipped scenarios={root.skippedScenarios} />
  </>
)

const UNATTENDED = { SCHEDULE: KINDS.schedule, TRIGGER: KINDS.trigger } as const

/** Origin; the label of its kind leads to a schedule or trigger. */
function Origin({ startedBy, labels }: Pick<Scenario, 'startedBy' | 'labels'>) {
  const kind = startedBy === 'SCHEDULE' || startedBy === 'TRIGGER' ? UNATTENDED[startedBy] : null
  const id = kind && labels.find(({ name }) => name === kind.noun)?.value
  return kind && id ? (
    <Link to={kind.page} params={{ id }} title={id}>
      {ORIGINS[startedBy]}
    </Link>
  ) : (
    ORIGINS[startedBy]
  )
}

const Result = ({ name, of }: { name: string; of: { id: string } | null }) =>
  of && (
    <Fact name={name}>
      <Link to="/executions/$id" params={{ id: of.id }}>
        {of.id.slice(0, 8)}
      </Link>
    </Fact>
  )

/** Skipped scenarios that are shown at once. */
const SHOWN_SKIPPED = 10

/** Scenarios of a suite that never ran, each with its reason. */
const Skipped = ({ scenarios }: { scenarios: Scenario['skippedScenarios'] }) =>
  scenarios.length > 0 && (
    <details className="card" open={scenarios.length <= SHOWN_SKIPPED}>
      <summary className="body">{plural(scenarios.length, 'scenario')} never ran</summary>
      <ul className="stack body tight" aria-label="Skipped scenarios">
        {scenarios.map(({ name, reason }) => (
          <li key={name} className="row tight">
            <StateIcon state="SKIPPED" />
            {name}
            <span className="under reason">{reason}</span>
          </li>
        ))}
      </ul>
    </details>
  )

/** The details below say it already. */
const isSaidBelow = (message: string, { step, scenario }: Node): boolean =>
  (step ?? scenario).message === message

import { getRouteApi, Link } from '@tanstack/react-router'
import { useMay } from '../app/account.tsx'
import { change } from '../graph/client.ts'
import {
  CauseDocument,
  type CauseQuery,
  NamedEnvironmentsDocument,
  QuarantinedScenariosDocument,
  SetFailureVerdictDocument,
  SetQuarantineDocument,
} from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { count, plural } from '../ui/format.ts'
import { FormButton } from '../ui/inputs.tsx'
import { Button, Card, Empty, Fact, Page } from '../ui/parts.tsx'
import { Ago } from '../ui/time.tsx'
import { attempt } from '../ui/toasts.tsx'
import { Loading, Problem } from '../ui/waiting.tsx'
import { nameOf, Verdict } from './parts.tsx'
import { isVerdict, VERDICTS } from './search.ts'

const route = getRouteApi('/executions/causes/$id')

type Cause = NonNullable<CauseQuery['failureCause']>

/** One cause of failures: its scenarios, since when, and what people say of it. */
export default function CausePage() {
  const { id } = route.useParams()
  const { data, error, isLoading, reload } = useRead(CauseDocument, { id })
  const may = useMay('artifacts:write')
  const cause = data?.failureCause
  const crumbs = (
    <>
      <Link to="/executions">Executions</Link>
      <Link to="/executions/causes">Causes</Link>
    </>
  )
  if (!cause)
    return (
      <Page title="Cause" crumbs={crumbs}>
        {error && <Problem message={error} retry={reload} />}
        {isLoading && <Loading lines={6} />}
        {data && (
          <Empty icon="search" title="There is no such cause">
            <p>It is gone once the details of its executions are.</p>
          </Empty>
        )}
      </Page>
    )
  return (
    <Page
      title={nameOf(cause)}
      crumbs={crumbs}
      beside={<Verdict of={cause} />}
      actions={may && <Judge of={cause} onDone={reload} />}
    >
      <div className="notice bad">{cause.message}</div>
      <Facts of={cause} />
      <Scenarios of={cause} />
    </Page>
  )
}

const Facts = ({ of }: { of: Cause }) => (
  <dl className="facts wide">
    <Fact name="Failures">{count(of.count)}</Fact>
    <Fact name="Failing now">
      {of.currentCount} of {plural(of.scenarioCount, 'scenario')}
    </Fact>
    {of.since && (
      <Fact name="Since">
        <Link to="/executions/$id" params={{ id: of.since.id }}>
          <Ago at={of.since.started} />
        </Link>
      </Fact>
    )}
    <Fact name="Last seen">
      <Ago at={of.lastSeen} />
    </Fact>
    {of.lastGood && (
      <Fact name="Last good">
        <Link to="/executions/$id" params={{ id: of.lastGood.id }}>
          <Ago at={of.lastGood.started} />
        </Link>{' '}
        <span className="faint">
          {of.lastGood.revisions
            .map(({ artifactId, name, revision }) => `${name ?? artifactId} r${revision}`)
            .join(', ')}
        </span>
      </Fact>
    )}
    {of.suites.length > 0 && (
      <Fact name="Suites">{of.suites.map(({ name }) => name).join(', ')}</Fact>
    )}
    {of.ticket && (
      <Fact name="Ticket">
        {/^https?:\/\//.test(of.ticket) ? (
          <a href={of.ticket} rel="noreferrer">
            {of.ticket}
          </a>
        ) : (
          of.ticket
        )}
      </Fact>
    )}
    {of.comment && <Fact name="Comment">{of.comment}</Fact>}
    {of.verdictAt && (
      <Fact name="Said by">
        {of.verdictBy}, <Ago at={of.verdictAt} />
      </Fact>
    )}
  </dl>
)

const TEXTS = ['owner', 'ticket', 'comment'] as const

function Judge({ of, onDone }: { of: Cause; onDone(): void }) {
  const submit = async (form: FormData) => {
    const verdict = form.get('verdict')
    const texts = TEXTS.map((name) => [name, form.get(name)?.toString() ?? null])
    const input = { id: of.causeId, verdict: isVerdict(verdict) ? verdict : null }
    await change(SetFailureVerdictDocument, { input: { ...input, ...Object.fromEntries(texts) } })
    onDone()
  }
  return (
    <FormButton label="Set verdict" look="primary" action="Save" submit={submit}>
      <label className="field">
        Verdict
        <select className="input" name="verdict" defaultValue={of.verdict ?? ''}>
          <option value="">None</option>
          {Object.entries(VERDICTS).map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {TEXTS.map((name) => (
        <label key={name} className="field">
          {name.charAt(0).toUpperCase() + name.slice(1)}
          <input className="input" name={name} defaultValue={of[name] ?? ''} />
        </label>
      ))}
    </FormButton>
  )
}

function Scenarios({ of: { scenarios, scenarioCount } }: { of: Cause }) {
  const may = useMay('artifacts:write')
  const id = [...new Set(scenarios.map(({ contextId }) => contextId))]
  const { data, reload } = useRead(QuarantinedScenariosDocument, { ids: { id } }, !may)
  const inside = [...new Set(scenarios.flatMap(({ environmentId }) => environmentId ?? []))]
  const named = useRead(NamedEnvironmentsDocument, { ids: { id: inside } }, inside.length === 0)
  const environments = new Map(named.data?.environments.nodes.map(({ id, name }) => [id, name]))
  const stored = new Map(data?.testCases.nodes.map((each) => [each.id, each.quarantine]))
  const set = (contextId: string, quarantine: boolean) =>
    attempt(async () => {
      await change(SetQuarantineDocument, { input: { id: contextId, quarantine } })
      reload()
      return quarantine
        ? 'It is in quarantine: it runs on, and makes no suite fail'
        : 'It is out of quarantine'
    })
  return (
    <Card title="Scenarios">
      <ul className="lines">
        {scenarios.map(({ contextId, name, environmentId, lastId, isCurrent, ...row }) => {
          const quarantine = stored.get(contextId)
          return (
            <li key={`${contextId} ${environmentId}`}>
              <div className="grow">
                <div className="cut">
                  <Link to="/executions/$id" params={{ id: lastId }}>
                    {name}
                  </Link>
                  {(quarantine ?? row.isQuarantined) && <span className="badge">Quarantine</span>}
                </div>
                <div className="under cut">
                  {isCurrent ? 'Fails now' : 'Passed or failed otherwise since'} ·{' '}
                  {plural(row.count, 'failure')}
                  {environmentId && ` · ${environments.get(environmentId) ?? environmentId}`}
                </div>
              </div>
              {may && quarantine !== undefined && (
                <Button small onClick={() => set(contextId, !quarantine)}>
                  {quarantine ? 'End quarantine' : 'Quarantine'}
                </Button>
              )}
            </li>
          )
        })}
        {scenarioCount > scenarios.length && (
          <li className="faint">and {count(scenarioCount - scenarios.length)} more</li>
        )}
      </ul>
    </Card>
  )
}

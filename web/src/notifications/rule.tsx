import { Link } from '@tanstack/react-router'
import { DeleteRuleDocument, RuleDetailDocument, RulePreviewDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { ArtifactPage, RevisionFacts } from '../repository/artifact-page.tsx'
import { KINDS, StoredArtifact } from '../repository/reading.tsx'
import { count } from '../ui/format.ts'
import { Card, Fact } from '../ui/parts.tsx'
import { Ago } from '../ui/time.tsx'
import { Problem } from '../ui/waiting.tsx'
import { draftOfRule, inputOfRule, type Rule } from './drafts.ts'

/** A rule: whom it notifies of what, and what it would have sent. */
export default function RulePage() {
  return (
    <StoredArtifact kind={KINDS.rule} document={RuleDetailDocument}>
      {(rule) => <Shown rule={rule} />}
    </StoredArtifact>
  )
}

function Shown({ rule }: { rule: Rule }) {
  const { name: _, description: __, ...attributes } = inputOfRule(draftOfRule(rule))
  return (
    <ArtifactPage
      kind={KINDS.rule}
      artifact={rule}
      attributes={attributes}
      remove={DeleteRuleDocument}
      facts={
        <>
          <Fact name="Events">
            <span className="mono">{rule.query}</span>
          </Fact>
          <Fact name="Changes">{rule.on.map((kind) => kind.toLowerCase()).join(', ')}</Fact>
          <Fact name="Channels">
            {rule.channels.map(({ id, name }) => (
              <Link key={id} to={KINDS.channel.page} params={{ id }}>
                {name}{' '}
              </Link>
            ))}
          </Fact>
          <Fact name="Grouped by">{rule.groupBy.join(', ') || 'one group'}</Fact>
          <Fact name="Times">
            after {rule.groupWait}, then every {rule.groupInterval} at most
            {rule.repeatInterval && `, repeated every ${rule.repeatInterval}`}
          </Fact>
          <Fact name="Enabled">{rule.enabled ? 'Yes' : 'No'}</Fact>
          <RevisionFacts {...rule} />
        </>
      }
    >
      <Preview id={rule.id} />
    </ArtifactPage>
  )
}

/** Notifications of the last day, as the rule is now. */
function Preview({ id }: { id: string }) {
  const { data, error, reload } = useRead(RulePreviewDocument, { id })
  const preview = data?.rulePreview
  return (
    <Card
      title="What it would have sent in the last day"
      aside={preview && <span className="under number">{count(preview.total)}</span>}
    >
      {error && <Problem message={error} retry={reload} />}
      <ol className="stack body tight">
        {preview?.total === 0 && <li className="faint">Nothing</li>}
        {preview?.notifications.toReversed().map(({ at, reason, changesTotal, titles }) => (
          <li key={`${at} ${titles.join()}`} className="row">
            <Ago at={at} />
            <span className="tag">{reason}</span>
            <span className="grow cut" dir="auto">
              {titles.join(', ')}
              {changesTotal > titles.length && ` and ${count(changesTotal - titles.length)} more`}
            </span>
          </li>
        ))}
      </ol>
      {preview?.isCut && (
        <p className="body under">There were more changes than a preview reads.</p>
      )}
    </Card>
  )
}

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../app/account.tsx'
import { yamlOf } from '../editor/yaml-text.ts'
import type { RevisionFragment } from '../graph/generated.ts'
import { SETTINGS } from '../graph/settings.ts'
import { Button, Card } from '../ui/parts.tsx'
import { Ago } from '../ui/time.tsx'
import { Changes } from './changes.tsx'
import type { ArtifactKind } from './reading.tsx'

export interface RevisionsProps {
  kind: ArtifactKind
  /** With its earlier revisions, if there are any, the latest first. */
  artifact: { id: string; revisions: readonly RevisionFragment[] } & Omit<
    RevisionFragment,
    'attributes'
  >
  /** Stored attributes, as revisions have them. */
  attributes: RevisionFragment['attributes']
  mayWrite: boolean
}

/** True where nobody signs in: the audit log says the same words. */
const isOpen = SETTINGS.authMode === 'none'

/** Revisions of an artifact: who stored each, when, and what it changed. */
export default function Revisions({ kind, artifact, attributes, mayWrite }: RevisionsProps) {
  const [shown, setShown] = useState<number | null>(null)
  const { id, revisions } = artifact
  const mayAudit = useMay('audit:read')
  const all = [{ ...artifact, attributes }, ...revisions]
  return (
    <Card
      title="Revisions"
      aside={
        mayAudit && (
          <Link to="/administration" search={{ tab: 'audit', target: id }}>
            Audit log
          </Link>
        )
      }
    >
      <ol className="lines">
        {all.map((each, index) => {
          const { revision, updated, updatedBy } = each
          const before = all[index + 1]
          const isShown = shown === revision
          return (
            <li key={revision} className="revision">
              <div className="row">
                <strong className="number">r{revision}</strong>
                <span className="under grow">
                  <Ago at={updated} />
                  {updatedBy ? ` by ${updatedBy}` : isOpen && ', no sign-in'}
                  {index === 0 && ', stored now'}
                </span>
                {before && (
                  <Button
                    small
                    aria-expanded={isShown}
                    onClick={() => setShown(isShown ? null : revision)}
                  >
                    {isShown ? 'Hide changes' : 'Show changes'}
                  </Button>
                )}
                {index > 0 && mayWrite && (
                  // Nothing is stored by going there.
                  <Link
                    className="button small"
                    to={kind.editor}
                    params={{ id }}
                    search={{ revision }}
                  >
                    Restore
                  </Link>
                )}
              </div>
              {isShown && before && <Changes before={textOf(before)} after={textOf(each)} />}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}

/** Attributes that follow from the others. */
const DERIVED: readonly string[] = ['calledComponents', 'calledTestCases']

/** Source code as it is, all else as YAML. */
function textOf({ name, description, attributes }: RevisionFragment): string {
  const { sourceCode, scenarioText, scenario, ...others } = attributes
  // The text as it was written says more than the value that was read from it.
  const texts = [sourceCode, scenarioText].filter((each) => typeof each === 'string')
  const given = Object.entries({
    name,
    description,
    ...others,
    ...(typeof scenarioText !== 'string' && { scenario: scenario ?? null }),
  })
  const written = given.filter(([key, value]) => value !== null && !DERIVED.includes(key))
  return [yamlOf(Object.fromEntries(written)), ...texts].join('\n')
}

import { diffLines } from 'diff'
import { useState } from 'react'
import { Button, Card } from '../ui/parts.tsx'
import { Ago } from '../ui/time.tsx'

export interface Revision {
  revision: number
  updated: string
  /** What is compared: a source, or a scenario as YAML. */
  text: string
}

interface RevisionsProps {
  /** The one that is stored now. */
  current: Revision
  /** The latest first. */
  earlier: readonly Revision[]
  /** Takes an earlier one into the editor; nothing is stored by it. */
  onTake?(text: string): void
}

/** Earlier revisions, and what each change after them was. */
export default function Revisions({ current, earlier, onTake }: RevisionsProps) {
  const [shown, setShown] = useState<number | null>(null)
  const all = [current, ...earlier]
  return (
    <Card title="Revisions">
      <ol className="lines">
        {all.map(({ revision, updated, text }, index) => {
          const before = all[index + 1]
          const isShown = shown === revision
          return (
            <li key={revision} className="revision">
              <div className="row">
                <strong className="number">r{revision}</strong>
                <span className="under grow">
                  <Ago at={updated} />
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
                {index > 0 && onTake && (
                  <Button small icon="again" onClick={() => onTake(text)}>
                    Take back
                  </Button>
                )}
              </div>
              {isShown && before && <Changes before={before.text} after={text} />}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}

/** Lines around a change that are shown with it. */
const CONTEXT = 2

const Changes = ({ before, after }: { before: string; after: string }) => {
  const parts = diffLines(before, after)
  if (parts.every(({ added, removed }) => !added && !removed))
    return <p className="under">Its text is the same; name, description or settings changed.</p>
  return (
    <pre className="code changes" tabIndex={0}>
      {parts.map(({ value, added, removed }, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: parts stand still
          key={index}
          className={added ? 'added' : removed ? 'removed' : 'faint'}
        >
          {lines(value, !added && !removed).map(
            (line) => `${added ? '+' : removed ? '-' : ' '} ${line}\n`,
          )}
        </span>
      ))}
    </pre>
  )
}

function lines(value: string, isCut: boolean): string[] {
  const all = value.replace(/\n$/, '').split('\n')
  return isCut && all.length > 2 * CONTEXT
    ? [...all.slice(0, CONTEXT), '…', ...all.slice(-CONTEXT)]
    : all
}

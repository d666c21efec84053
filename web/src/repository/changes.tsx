import { diffLines } from 'diff'

/** Lines around a change that are shown with it. */
const CONTEXT = 2

/** Differences between two texts, line by line. */
export const Changes = ({ before, after }: { before: string; after: string }) => {
  const parts = diffLines(before, after)
  if (parts.every(({ added, removed }) => !added && !removed))
    return <p className="under">Nothing differs.</p>
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

import type { Execution } from '../execution.entity.ts'
import type { FailureChange } from './failing-since.type.ts'

type Compared = Pick<Execution, 'revisions' | 'environmentId' | 'labels'>

/** Differences from the last good execution to the first that failed. */
export function changesBetween(before: Compared, after: Compared): FailureChange[] {
  const [a, b] = [partsOf(before), partsOf(after)]
  return [...new Map([...a, ...b]).values()]
    .map(({ kind, name }) => {
      const key = keyOf(kind, name)
      return {
        ...{ kind, name },
        before: a.get(key)?.value ?? null,
        after: b.get(key)?.value ?? null,
      }
    })
    .filter((change) => change.before !== change.after)
}

interface Part {
  kind: string
  name: string
  value: string
}

const keyOf = (kind: string, name: string): string => `${kind} ${name}`

function partsOf({ revisions, environmentId, labels }: Compared): Map<string, Part> {
  const ran = revisions.map(({ kind, id, revision }) => ({
    kind,
    name: id,
    value: String(revision),
  }))
  // A suite knows its environment, and its scenarios the revision of it.
  if (environmentId !== null && !ran.some(({ kind }) => kind === 'environment'))
    ran.push({ kind: 'environment', name: environmentId, value: '' })
  const marks = Object.entries(labels).map(([name, value]) => ({ kind: 'label', name, value }))
  return new Map([...ran, ...marks].map((part) => [keyOf(part.kind, part.name), part]))
}

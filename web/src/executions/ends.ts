/** Lines before those that are not read yet. */
const NEAR = 50

/** A list of which both ends are read. @param end from the last one on @returns undefined for what is not read yet */
export function joined<Row>(
  start: readonly Row[],
  end: readonly Row[],
  total: number,
): (Row | undefined)[] {
  const missing = total - start.length - end.length
  return [
    ...start,
    ...Array<undefined>(Math.max(0, missing)),
    ...end.toReversed().slice(Math.max(0, -missing)),
  ]
}

/** From which end to read on, as what is seen is near to what lies between `start` and `end`. */
export function missingEnd(
  start: number,
  end: number,
  { from, to }: { from: number; to: number },
): 'start' | 'end' | null {
  if (start >= end || to < start - NEAR || from >= end + NEAR) return null
  return from - start <= end - to ? 'start' : 'end'
}

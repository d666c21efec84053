/** @returns whether a call is among the first ones of its second */
export function firstOfSecond(most: number): () => boolean {
  let second = 0
  let calls = 0
  return () => {
    const now = Math.floor(performance.now() / 1_000)
    if (now !== second) calls = 0
    second = now
    return calls++ < most
  }
}

/**
 * Collects the keys asked for in one turn of the event loop and loads them together.
 * @param load answers for any subset of the keys
 */
export function batched<Value>(
  load: (keys: string[]) => Promise<Map<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let waiting: Promise<Map<string, Value>> | undefined
  let keys = new Set<string>()

  const loadAll = (): Promise<Map<string, Value>> => {
    const asked = [...keys]
    keys = new Set()
    waiting = undefined
    return load(asked)
  }

  return async (key) => {
    keys.add(key)
    waiting ??= new Promise<void>((resolve) => setImmediate(resolve)).then(loadAll)
    return (await waiting).get(key)
  }
}

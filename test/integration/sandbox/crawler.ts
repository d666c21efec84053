/**
 * The body of a component's function that walks everything it can reach: globals, the built-in modules it may import,
 * what their functions return at once, every property, getter and prototype. It returns the paths to what has reach
 * outside: emitters, streams, sockets, the real process.
 */
export const CRAWLER = `
  const names = 'assert buffer path querystring string_decoder timers timers/promises url util'.split(' ')
  const timer = setTimeout(() => {}, 1e6)
  let sites
  Error.prepareStackTrace = (_, callSites) => { sites = callSites; return '' }
  new Error('x').stack
  const roots = {
    globalThis, timer, sites, here: import.meta,
    immediate: setImmediate(() => {}), signal: AbortSignal.timeout(1e6), key: crypto.subtle,
    caught: await import('node:fs').catch((error) => error),
    callers: (sites ?? []).flatMap((site) => [site.getThis(), site.getFunction()]),
    thrown: (() => { try { process.kill(1) } catch (error) { return error } })(),
  }
  for (const name of names) roots[name] = await import(name)
  const OUTSIDE = /^(EventEmitter|Socket|Server|TTY|Pipe|TCP|UDP|ChildProcess|Process|Worker|FSReqCallback|FSReqPromise|Stream|Readable|Writable|ReadStream|WriteStream|ModuleWrap|internalBinding|ContextifyScript)$/
  const found = []
  const seen = new Set()
  const queue = Object.entries(roots)
  const isStandIn = (value) => value === process
  while (queue.length > 0 && seen.size < 300_000) {
    const [path, value] = queue.pop()
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue
    seen.add(value)
    try {
      if (typeof value === 'function' && OUTSIDE.test(value.name)) found.push(path + ' is ' + value.name)
      if (!isStandIn(value) && ('reallyExit' in value || '_kill' in value)) found.push(path + ' is the process')
      if (value instanceof Uint8Array) continue
      queue.push([path + '.__proto__', Object.getPrototypeOf(value)])
      for (const key of Reflect.ownKeys(value)) {
        const at = path + '.' + String(key)
        const { get, set, value: held } = Object.getOwnPropertyDescriptor(value, key)
        queue.push([at, held], [at + '[get]', get], [at + '[set]', set])
        if (get) { try { queue.push([at, value[key]]) } catch {} }
      }
    } catch {}
  }
  if (seen.size < 1000) return ['the crawler saw only ' + seen.size]
  return found`

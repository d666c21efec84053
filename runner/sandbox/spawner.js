/**
 * The program of the small process that starts the sandboxed ones: starting a process holds up its parent, and the worker,
 * which is large, for many times longer. Its channel says what to start and what to kill, and it ends with that channel, or with the worker.
 * A sandboxed process speaks with the worker over a pair of sockets without an address. This process makes the pair, as
 * the standard input of the other one, and sends its own end to the worker.
 */
import { spawn } from 'node:child_process'

/** The engine's last words on stderr fit. A process that writes more is killed, as reading it takes processor time. */
const STDERR_CHARACTERS = 16_384

/** Interval at which it looks whether the worker, whose process id is its argument, is still its parent. */
const PARENT_MS = 250

const children = new Map()

/** All of their environment: the time zone, which they could not read from a file. */
const env = { TZ: Intl.DateTimeFormat().resolvedOptions().timeZone }

process.on('disconnect', end)
// If a worker is killed before it has taken a connection, Node closes the channel without that event.
const worker = Number(process.argv[2])
setInterval(() => {
  if (process.ppid !== worker) end()
}, PARENT_MS)
process.on('message', ({ id, command }) => {
  if (command) launch(id, command)
  else kill(children.get(id))
})

function launch(id, [program, ...args]) {
  const stdio = ['pipe', 'ignore', 'pipe']
  // It ends with this process: see `STARTER` in walls.ts.
  const started = args.map((arg) => (arg === 'parent=' ? `parent=${process.pid}` : arg))
  const child = spawn(program, started, { env, cwd: '/', detached: true, stdio })
  child.once('error', ({ message }) => process.send({ id, fault: message }))
  if (!child.pid) return
  children.set(id, child)
  let stderr = ''
  let hasFlooded = false
  child.stderr.on('data', (chunk) => {
    if (hasFlooded) return
    stderr += chunk.toString('latin1')
    hasFlooded = stderr.length > STDERR_CHARACTERS
    if (hasFlooded) kill(child)
  })
  child.once('exit', () => {
    kill(child)
    // From here on its number may be someone else's.
    children.delete(id)
  })
  child.once('close', (code, signal) =>
    process.send({ id, end: { code, signal, stderr, hasFlooded } }),
  )
  // No longer the child's, whose exit would close it: it may wait for its turn to be sent.
  const connection = child.stdin
  child.stdin = null
  process.send({ id, pid: child.pid }, connection, () => connection.destroy())
}

function end() {
  for (const child of children.values()) kill(child)
  process.exit()
}

/** With its process group, which holds whatever it may have started. */
function kill(child) {
  try {
    if (child) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // already gone
  }
}

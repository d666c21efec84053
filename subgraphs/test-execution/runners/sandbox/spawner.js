/**
 * The program of the small process that starts the sandboxed ones: starting a process holds up its parent, and the worker,
 * which is large, for many times longer. Its channel says what to start and what to kill, and it ends with that channel.
 * A sandboxed process speaks with the worker over a connection of its own, which this process opens and hands on.
 */
import { spawn } from 'node:child_process'
import { connect } from 'node:net'

/** Of what a sandboxed process writes to stderr: the engine's last words. */
const STDERR_CHARACTERS = 16_384

const children = new Map()

/** All of their environment: the time zone, which they could not read from a file. */
const env = { TZ: Intl.DateTimeFormat().resolvedOptions().timeZone }

process.on('disconnect', () => {
  for (const child of children.values()) kill(child)
  process.exit()
})
process.on('message', ({ id, address, command }) => {
  if (command) launch(id, address, command)
  else kill(children.get(id))
})

function launch(id, address, [program, ...args]) {
  const connection = connect(address)
  const fail = ({ message }) => process.send({ id, fault: message })
  connection.once('error', fail)
  connection.write(id, () => {
    const stdio = [connection, connection, 'pipe']
    // It ends with this process: see `STARTER` in walls.ts.
    const started = args.map((arg) => (arg === 'parent=' ? `parent=${process.pid}` : arg))
    const child = spawn(program, started, { env, cwd: '/', detached: true, stdio })
    connection.destroy()
    child.once('error', fail)
    if (!child.pid) return
    children.set(id, child)
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      if (stderr.length < STDERR_CHARACTERS) stderr += chunk.toString('latin1')
    })
    child.once('exit', () => {
      kill(child)
      // From here on its number may be someone else's.
      children.delete(id)
    })
    child.once('close', (code, signal) => process.send({ id, end: { code, signal, stderr } }))
    process.send({ id, pid: child.pid })
  })
}

/** With its process group, which holds whatever it may have started. */
function kill(child) {
  try {
    if (child) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // already gone
  }
}

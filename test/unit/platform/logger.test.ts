import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { endLogs, type LogOutput, openOutput } from '../../../platform/process/logger.ts'

const LINES = 1_000
/** Bytes of a line. More of them than a pipe holds (64 KiB). */
const BYTES = 1_000

describe('Log lines whose reader is slow', () => {
  const folder = mkdtempSync(join(tmpdir(), 'logger-'))
  const path = join(folder, 'pipe')
  let pipe: number

  beforeEach(() => {
    execFileSync('mkfifo', [path])
    pipe = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  })

  afterEach(() => {
    closeSync(pipe)
    rmSync(path)
  })

  /**
   * An output into the pipe that a test reads. The test never closes its descriptor: the output retries unread lines for
   * ever, and the next socket of this worker would get the number of a closed descriptor, and the lines.
   */
  const open = (waitingBytes?: number): LogOutput =>
    openOutput(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK), waitingBytes)

  afterAll(() => rmSync(folder, { recursive: true }))

  it('wait without stopping the process, and arrive whole and in order', async () => {
    const log = pino(open())
    for (let line = 0; line < LINES; line++) log.info({ line, text: 'x'.repeat(BYTES) })
    const lines = await readLines((arrived) => arrived.length === LINES)
    expect(lines.map(({ line }) => line)).toEqual(Array.from({ length: LINES }, (_, at) => at))
  })

  it('are dropped beyond the bound, and a warning says how many', async () => {
    const log = pino(open(100 * BYTES))
    for (let line = 0; line < LINES; line++) log.info({ line, text: 'x'.repeat(BYTES) })
    const lines = await readLines((arrived) => arrived.at(-1)?.lines !== undefined)
    const last = lines.pop()
    expect(last).toMatchObject({
      msg: 'Log lines were dropped: what reads standard output is too slow',
    })
    expect(lines.length).toBeGreaterThan(50)
    expect(lines.length + (last?.lines ?? 0)).toBe(LINES)
  })

  it('are waited for before the process ends, unless the reader is gone', async () => {
    const output = open()
    const log = pino(output)
    log.info({ line: 1 })
    await endLogs(output)
    expect(await readLines((arrived) => arrived.length === 1)).toMatchObject([{ line: 1 }])
    closeSync(pipe)
    log.info({ line: 2 })
    await endLogs(output)
    pipe = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  })

  interface Line {
    line?: number
    lines?: number
  }

  async function readLines(isAll: (lines: Line[]) => boolean): Promise<Line[]> {
    const piece = Buffer.alloc(65_536)
    let text = ''
    for (;;) {
      text += readPiece(piece)
      const whole = text.split('\n').slice(0, -1)
      const lines = whole.map((each) => JSON.parse(each) as Line)
      if (isAll(lines)) return lines
      await delay(10)
    }
  }

  function readPiece(piece: Buffer): string {
    try {
      return piece.toString('utf8', 0, readSync(pipe, piece))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return ''
      throw error
    }
  }
})

import { withTexts } from '../../formats/json/text.ts'
import { isTooDeep } from '../../formats/json/values.ts'
import { RunError } from '../run/error.ts'
import {
  asChildMessage,
  type ChildError,
  type ChildMessage,
  createMessageReader,
  type LogLevel,
} from './child-message.ts'
import type { ChildEnd, SandboxedChild } from './launcher.ts'
import { type Usage, usageOf, watchResources } from './resource-watch.ts'
import { type SandboxLimits, sizeOfLog } from './sandbox-limits.ts'

/** Why a sandboxed process ended by itself. Its error output is the engine's, unless native code takes over the process. */
export function exitReason({ code, signal, stderr, hasFlooded }: ChildEnd): RunError {
  if (hasFlooded) {
    return new RunError('OUTPUT_LIMIT', 'The component wrote more to the error output than it may')
  }
  if (/out of memory|heap limit|allocation failed/i.test(stderr)) {
    return new RunError('MEMORY_LIMIT', 'The component used more memory than it may')
  }
  if (/^walls: /m.test(stderr)) {
    const message = `The sandbox did not start: ${stderr.trim().split('\n', 1)[0]}`
    return new RunError('SANDBOX_UNAVAILABLE', message)
  }
  const how = signal ? `was ended by ${signal}` : `ended with code ${code}`
  return new RunError('CRASHED', `The component's process ${how}`)
}

/** A module as the child evaluates it, and how to read what the child says about it. */
export interface LoadableModule {
  /** JavaScript. */
  code: string
  coverageVariable: string
  /** Turns what the component threw into the reason of the step. */
  explain(error: ChildError): RunError
}

/** One run of one component in a sandboxed process; its module keeps its state between calls. */
export interface ComponentProcess {
  /** @throws RunError */
  load(module: LoadableModule, signal: AbortSignal): Promise<void>
  /** The result as JSON carried it; `undefined` where the function returned nothing. @throws RunError */
  call(name: string, args: unknown[], signal: AbortSignal): Promise<unknown>
  /** True if it takes no more calls: stopped, crashed, or killed for what it did. */
  hasEnded(): boolean
  /**
   * Ends the run. Resolves when the process is gone, or kept for the next run. Twice is harmless.
   * @param isClean whether it may be kept
   */
  stop(isClean?: boolean): Promise<void>
}

export interface ProcessListener {
  onLog(level: LogLevel, text: string): void
  /** Statements of the component that ran for the first time: unchecked numbers. */
  onHits(statements: number[]): void
}

const NEWLINE = 10
const OVER = new RunError('CRASHED', 'The scenario has ended')

interface Pending {
  resolve(value: unknown): void
  reject(reason: Error): void
}

/** Position of a process in its runs. */
export interface Turn {
  /** From 1. Every message carries it, in both directions. */
  run: number
  /** Usage of earlier runs. */
  before: Usage
  /** Takes a process back for another run; null where this one is its last. */
  keep: ((used: Usage) => void) | null
}

/** The turn of a process that runs once, without a measurement before it. */
export const ONLY_RUN: Turn = { run: 1, before: { mebibytes: 0, cpuSeconds: 0 }, keep: null }

/** Takes over a launched child for one run: requests in, answers out, its limits, its end. */
export function controlProcess(
  child: SandboxedChild,
  limits: SandboxLimits,
  listener: ProcessListener,
  { run, before, keep }: Turn = ONLY_RUN,
): ComponentProcess {
  const pending = new Map<number, Pending>()
  const read = createMessageReader(checkLength)
  let explain: LoadableModule['explain'] = ({ message }) => new RunError('CRASHED', message)
  let lastId = 0
  let logged = 0
  let isReady = run > 1
  let ended: RunError | null = null
  /** While the process is asked to end the run: what to do when it has, or will not. */
  let ending: PromiseWithResolvers<void> | null = null
  let isOver = false
  let stopping: Promise<boolean> | null = null

  const unwatch = watchResources(child.pid, limits, end, before)
  const onData = (chunk: Buffer) => {
    if (ended) return
    try {
      for (const { value, bytes } of read(chunk)) {
        receive(asChildMessage(value), bytes)
        if (ended) return
      }
      if (isOver && chunk.at(-1) === NEWLINE) ending?.resolve()
    } catch (error) {
      const reason = 'The component sent a message that is too large or malformed'
      end(error instanceof RunError ? error : new RunError('MESSAGE_LIMIT', reason))
    }
  }
  const closing = Promise.withResolvers<void>()
  child.stdio.on('data', onData).once('close', closing.resolve)
  // Output before the end says more than the end.
  const closed = Promise.all([child.exited, closing.promise]).then(([exit]) =>
    end(exitReason(exit)),
  )

  /** Only an answer may be larger than all log text: one a request, so that a child cannot keep the worker parsing. */
  function checkLength(bytes: number): void {
    if (pending.size === 0 && bytes > limits.outputBytes) throw tooMuchLog()
    // A character of a result takes up to three bytes.
    if (bytes > limits.messageBytes * 3) throw new RangeError('A message is too long')
  }

  const tooMuchLog = () =>
    new RunError('OUTPUT_LIMIT', `The component wrote more than ${limits.outputBytes} bytes of log`)

  function receive(message: ChildMessage, bytes: number): void {
    if (message.run !== (message.kind === 'READY' ? 0 : run) || isOver) {
      end(new RunError('MESSAGE_LIMIT', 'The component sent a message of another run'))
      return
    }
    if (message.kind === 'LOG') {
      // Its line counts too: the text may be the smallest part of it.
      logged += Math.max(bytes, sizeOfLog(message.text))
      if (logged > limits.outputBytes) end(tooMuchLog())
      else listener.onLog(message.level, message.text)
      return
    }
    if (message.kind === 'CRASH') {
      end(explain(message.error))
      return
    }
    if (message.kind === 'READY' && !isReady) {
      isReady = true
      return
    }
    if (message.kind === 'ENDED' && ending) {
      isOver = true
      return
    }
    const waiting = 'id' in message ? pending.get(message.id) : undefined
    if (!('id' in message) || !waiting) {
      // The harness never does this. Messages without end would also keep the worker busy.
      end(new RunError('MESSAGE_LIMIT', 'The component sent an answer without a request'))
      return
    }
    pending.delete(message.id)
    listener.onHits(message.hits)
    if (message.kind === 'RESULT') waiting.resolve(message.value)
    else waiting.reject(explain(message.error))
  }

  /** The first reason counts; the pending call gets it, and no further call is possible. */
  function end(reason: RunError): void {
    unwatch()
    child.kill()
    ended ??= reason
    for (const { reject } of pending.values()) reject(ended)
    pending.clear()
    ending?.reject(ended)
  }

  /** Asks the process to end the run, so that it can have another one. @throws RunError where it does not */
  async function release(keep: (used: Usage) => void): Promise<void> {
    ending = Promise.withResolvers()
    const late = () => end(new RunError('TIMEOUT', 'The component did not end its run'))
    const timer = setTimeout(late, limits.endMs)
    child.stdio.write(`${JSON.stringify({ kind: 'END', run })}\n`)
    await ending.promise.finally(() => clearTimeout(timer))
    unwatch()
    ended = OVER
    child.stdio.off('data', onData).off('close', closing.resolve)
    keep(usageOf(child.pid))
  }

  async function request(body: object, signal: AbortSignal): Promise<unknown> {
    if (ended) throw ended
    signal.throwIfAborted()
    lastId += 1
    const id = lastId
    const onAbort = () => end(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject })
        child.stdio.write(`${JSON.stringify({ ...body, id, run })}\n`)
      })
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  return {
    async load({ code, coverageVariable, explain: explainError }, signal) {
      explain = explainError
      const { messageBytes } = limits
      const isFresh = keep !== null
      const body = { kind: 'LOAD', source: code, isFresh, coverageVariable, messageBytes }
      await request(body, signal)
    },
    async call(name, given, signal) {
      const args = JSON.stringify(withTexts(given))
      if (Buffer.byteLength(args) > limits.messageBytes) {
        throw new RunError('MESSAGE_LIMIT', `The arguments of ${name} are too large`)
      }
      const value = await request({ kind: 'CALL', name, args }, signal)
      if (!isTooDeep(value)) return value
      throw new RunError('MESSAGE_LIMIT', `The result of ${name} is nested too deeply`)
    },
    hasEnded: () => ended !== null,
    async stop(isClean = false) {
      if (ended === OVER) return
      if (isClean && keep && !ended && isReady && pending.size === 0) {
        stopping ??= release(keep).then(
          () => true,
          () => false,
        )
        if (await stopping) return
      }
      end(OVER)
      await Promise.race([
        closed,
        new Promise((resolve) => setTimeout(resolve, limits.killMs).unref()),
      ])
    },
  }
}

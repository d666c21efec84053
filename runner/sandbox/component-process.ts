import { isTooDeep, withTexts } from '../../formats/json/values.ts'
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
export class ControlledProcess implements ComponentProcess {
  private readonly pending = new Map<number, Pending>()
  private readonly read = createMessageReader((bytes) => this.checkLength(bytes))
  private readonly closing = Promise.withResolvers<void>()
  private readonly closed: Promise<void>
  private readonly unwatch: () => void
  private explain: LoadableModule['explain'] = ({ message }) => new RunError('CRASHED', message)
  private lastId = 0
  private logged = 0
  private isReady: boolean
  private ended: RunError | null = null
  /** While the process is asked to end the run: what to do when it has, or will not. */
  private ending: PromiseWithResolvers<void> | null = null
  private isOver = false
  private stopping: Promise<boolean> | null = null

  constructor(
    private readonly child: SandboxedChild,
    private readonly limits: SandboxLimits,
    private readonly listener: ProcessListener,
    private readonly turn: Turn = ONLY_RUN,
  ) {
    this.isReady = turn.run > 1
    this.unwatch = watchResources(child.pid, limits, this.end, turn.before)
    child.stdio.on('data', this.onData).once('close', this.closing.resolve)
    // Output before the end says more than the end.
    this.closed = Promise.all([child.exited, this.closing.promise]).then(([exit]) =>
      this.end(exitReason(exit)),
    )
  }

  async load(
    { code, coverageVariable, explain }: LoadableModule,
    signal: AbortSignal,
  ): Promise<void> {
    this.explain = explain
    const { messageBytes } = this.limits
    const isFresh = this.turn.keep !== null
    const body = { kind: 'LOAD', source: code, isFresh, coverageVariable, messageBytes }
    await this.request(body, signal)
  }

  async call(name: string, given: unknown[], signal: AbortSignal): Promise<unknown> {
    const args = JSON.stringify(withTexts(given))
    if (Buffer.byteLength(args) > this.limits.messageBytes) {
      throw new RunError('MESSAGE_LIMIT', `The arguments of ${name} are too large`)
    }
    const value = await this.request({ kind: 'CALL', name, args }, signal)
    if (!isTooDeep(value)) return value
    throw new RunError('MESSAGE_LIMIT', `The result of ${name} is nested too deeply`)
  }

  hasEnded(): boolean {
    return this.ended !== null
  }

  async stop(isClean = false): Promise<void> {
    if (this.ended === OVER) return
    const { keep } = this.turn
    if (isClean && keep && !this.ended && this.isReady && this.pending.size === 0) {
      this.stopping ??= this.release(keep).then(
        () => true,
        () => false,
      )
      if (await this.stopping) return
    }
    this.end(OVER)
    await Promise.race([
      this.closed,
      new Promise((resolve) => setTimeout(resolve, this.limits.killMs).unref()),
    ])
  }

  private readonly onData = (chunk: Buffer): void => {
    if (this.ended) return
    try {
      for (const { value, bytes } of this.read(chunk)) {
        this.receive(asChildMessage(value), bytes)
        if (this.ended) return
      }
      if (this.isOver && chunk.at(-1) === NEWLINE) this.ending?.resolve()
    } catch (error) {
      const reason = 'The component sent a message that is too large or malformed'
      this.end(error instanceof RunError ? error : new RunError('MESSAGE_LIMIT', reason))
    }
  }

  /** Only an answer may be larger than all log text: one a request, so that a child cannot keep the worker parsing. */
  private checkLength(bytes: number): void {
    if (this.pending.size === 0 && bytes > this.limits.outputBytes) throw this.tooMuchLog()
    // A character of a result takes up to three bytes.
    if (bytes > this.limits.messageBytes * 3) throw new RangeError('A message is too long')
  }

  private tooMuchLog(): RunError {
    const message = `The component wrote more than ${this.limits.outputBytes} bytes of log`
    return new RunError('OUTPUT_LIMIT', message)
  }

  private receive(message: ChildMessage, bytes: number): void {
    if (message.run !== (message.kind === 'READY' ? 0 : this.turn.run) || this.isOver) {
      this.end(new RunError('MESSAGE_LIMIT', 'The component sent a message of another run'))
      return
    }
    if (message.kind === 'LOG') {
      // Its line counts too: the text may be the smallest part of it.
      this.logged += Math.max(bytes, sizeOfLog(message.text))
      if (this.logged > this.limits.outputBytes) this.end(this.tooMuchLog())
      else this.listener.onLog(message.level, message.text)
      return
    }
    if (message.kind === 'CRASH') {
      this.end(this.explain(message.error))
      return
    }
    if (message.kind === 'READY' && !this.isReady) {
      this.isReady = true
      return
    }
    if (message.kind === 'ENDED' && this.ending) {
      this.isOver = true
      return
    }
    const waiting = 'id' in message ? this.pending.get(message.id) : undefined
    if (!('id' in message) || !waiting) {
      // The harness never does this. Messages without end would also keep the worker busy.
      this.end(new RunError('MESSAGE_LIMIT', 'The component sent an answer without a request'))
      return
    }
    this.pending.delete(message.id)
    this.listener.onHits(message.hits)
    if (message.kind === 'RESULT') waiting.resolve(message.value)
    else waiting.reject(this.explain(message.error))
  }

  /** The first reason counts; the pending call gets it, and no further call is possible. */
  private readonly end = (reason: RunError): void => {
    this.unwatch()
    this.child.kill()
    this.ended ??= reason
    for (const { reject } of this.pending.values()) reject(this.ended)
    this.pending.clear()
    this.ending?.reject(this.ended)
  }

  /** Asks the process to end the run, so that it can have another one. @throws RunError where it does not */
  private async release(keep: (used: Usage) => void): Promise<void> {
    const ending = Promise.withResolvers<void>()
    this.ending = ending
    const late = () => this.end(new RunError('TIMEOUT', 'The component did not end its run'))
    const timer = setTimeout(late, this.limits.endMs)
    this.child.stdio.write(`${JSON.stringify({ kind: 'END', run: this.turn.run })}\n`)
    await ending.promise.finally(() => clearTimeout(timer))
    this.unwatch()
    this.ended = OVER
    this.child.stdio.off('data', this.onData).off('close', this.closing.resolve)
    keep(usageOf(this.child.pid))
  }

  private async request(body: object, signal: AbortSignal): Promise<unknown> {
    if (this.ended) throw this.ended
    signal.throwIfAborted()
    this.lastId += 1
    const id = this.lastId
    const onAbort = () => this.end(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await new Promise((resolve, reject) => {
        this.pending.set(id, { resolve, reject })
        this.child.stdio.write(`${JSON.stringify({ ...body, id, run: this.turn.run })}\n`)
      })
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }
}

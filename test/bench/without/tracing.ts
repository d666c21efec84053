/** Exports of `platform/tracing/trace.ts` without anything behind them: the product as it would be without traces. */
const nothing = () => undefined

export const useTracer = nothing
export const currentTraceparent = nothing
export const traceHeaders = () => ({})
export const currentTraceId = nothing
export const currentIds = () => ({})
export const startSpan = nothing
export const inTrace = <Result>(_ids: unknown, run: () => Result): Result => run()
export const withinSpan = <Result>(_span: unknown, run: () => Result): Result => run()
export const inSpan = <Result>(
  _name: string,
  _options: unknown,
  run: (span: undefined) => Promise<Result>,
): Promise<Result> => run(undefined)

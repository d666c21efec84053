import type { CronTimes } from './cron.ts'

/** Waits no longer, so that a clock that is set counts soon. */
const LOOK_AGAIN_MS = 30_000

/** Calls at each time of a cron expression. @returns ends that */
export function atTimes(times: CronTimes, run: () => void, now: () => Date): () => void {
  let next = times.after(now())
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    if (!next) return
    timer = setTimeout(look, Math.min(LOOK_AGAIN_MS, Math.max(0, +next - +now())))
    timer.unref()
  }
  const look = () => {
    const time = now()
    if (next && time >= next) {
      run()
      next = times.after(time)
    }
    wait()
  }
  wait()
  return () => clearTimeout(timer)
}

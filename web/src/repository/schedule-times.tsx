import { exactTime } from '../ui/format.ts'

/** Time of a run to come, in the zone of the reader. */
export const NextRun = ({ at }: { at: string | undefined }) =>
  at ? (
    <time dateTime={at} className="number">
      {exactTime(at)}
    </time>
  ) : (
    <span className="faint">None</span>
  )

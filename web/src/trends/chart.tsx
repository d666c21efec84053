import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import { useTheme } from '../app/theme.ts'
import { clockTime, day, duration, exactTime, preciseClock } from '../ui/format.ts'

export interface Point {
  at: string
  ms: number
  coverage: number | null
  /** True if it failed or ended with an error. */
  isBad: boolean
}

const HEIGHT = 220

/** Duration and coverage along time. The table below it has the same for those who do not see it. */
export default function Chart({ points }: { points: readonly Point[] }) {
  const host = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    const element = host.current
    if (!element) return undefined
    const plot = new UPlot(
      optionsFor(element),
      [
        points.map(({ at }) => Date.parse(at) / 1_000),
        points.map(({ ms }) => ms),
        points.map(({ coverage }) => coverage),
        points.map(({ ms, isBad }) => (isBad ? ms : null)),
      ],
      element,
    )
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: HEIGHT }),
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [points, theme])
  return <div ref={host} className="plot" />
}

/** Axes and lines, in the colours of the page. */
function optionsFor(element: HTMLElement): UPlot.Options {
  const colour = (name: string) => resolved(element, name)
  const grid = { stroke: colour('--line'), width: 1 }
  const font = `12px ${getComputedStyle(element).fontFamily}`
  const axis = { stroke: colour('--ink-faint'), grid, ticks: grid, font }
  return {
    width: element.clientWidth,
    height: HEIGHT,
    scales: {
      percent: { range: [0, 100] },
      ms: { range: (_plot, _low, high) => [0, (high || 1) * 1.1] },
    },
    axes: [
      {
        ...axis,
        incrs: STEPS_S,
        space: 80,
        values: (_plot, times) => times.map(labelsOf(times)),
      },
      { ...axis, scale: 'ms', values: (_plot, values) => values.map(duration), size: 70 },
      {
        ...axis,
        scale: 'percent',
        side: 1,
        grid: { show: false },
        values: (_plot, values) => values.map((each) => `${each} %`),
      },
    ],
    series: [
      { label: 'Started', value: (_plot, at) => (at ? exactTime(isoOf(at)) : '–') },
      {
        label: 'Duration',
        scale: 'ms',
        stroke: colour('--accent'),
        width: 2,
        points: { size: 6 },
        value: (_plot, value) => (value === null ? '–' : duration(value)),
      },
      {
        label: 'Coverage',
        scale: 'percent',
        stroke: colour('--good'),
        width: 2,
        dash: [6, 4],
        value: (_plot, value) => (value === null ? '–' : `${value} %`),
      },
      {
        label: 'Failed',
        scale: 'ms',
        stroke: colour('--bad'),
        paths: () => null,
        points: { show: true, size: 9, fill: colour('--bad') },
        value: (_plot, value) => (value === null ? 'no' : 'yes'),
      },
    ],
  }
}

const DAY_S = 86_400
const HOUR_S = 3_600
const MINUTE_S = 60

/** Distances between two labels of the time axis. */
const STEPS_S = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((each) => each * MINUTE_S),
  ...[1, 2, 3, 6, 12].map((each) => each * HOUR_S),
  ...[1, 2, 4, 7, 14, 28, 56, 112, 365].map((each) => each * DAY_S),
]

const isoOf = (seconds: number): string => new Date(seconds * 1_000).toISOString()

/** Times as exact as the distance between them asks for. */
const labelsOf =
  ([first = 0, second = first]: readonly number[]) =>
  (seconds: number): string => {
    const distance = second - first
    if (distance >= DAY_S) return day(new Date(seconds * 1_000))
    return distance >= MINUTE_S
      ? clockTime(new Date(seconds * 1_000))
      : preciseClock(isoOf(seconds)).slice(0, 8)
  }

/** A canvas knows no variables: asks the page what one stands for. */
function resolved(element: HTMLElement, name: string): string {
  element.style.color = `var(${name})`
  const { color } = getComputedStyle(element)
  element.style.color = ''
  return color
}

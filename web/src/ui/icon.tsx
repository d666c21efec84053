/** Drawn on 16 × 16; the colour is that of the text. */
const PATHS = {
  overview: 'M2.5 2.5h4.5v5h-4.5zM9 2.5h4.5v3H9zM9 8h4.5v5.5H9zM2.5 10h4.5v3.5h-4.5z',
  play: 'M5 3.2v9.6L12.5 8z',
  bell: 'M4 11.5V7a4 4 0 0 1 8 0v4.5l1 1H3zM6.7 14h2.6',
  box: 'M2.5 5 8 2.2 13.5 5v6L8 13.8 2.5 11zM2.5 5 8 7.8 13.5 5M8 7.8v6',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  layers: 'M8 2.5 14 6 8 9.5 2 6zM2.5 9.5 8 12.8l5.5-3.3',
  globe:
    'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM2 8h12M8 2c2 2 2.5 4 2.5 6S10 12 8 14c-2-2-2.5-4-2.5-6S6 4 8 2z',
  trend: 'M2.5 12.5 6 8l3 2.5 4.5-6M10.5 4.5h3v3',
  send: 'M13.5 2.5 7 9M13.5 2.5 9.5 13.5 7 9 2.5 6.5z',
  shield: 'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4z',
  gear: 'M3 4.5h6M12 4.5h1M3 11.5h1M7 11.5h6M9 2.8v3.4h3V2.8zM4 9.8v3.4h3V9.8z',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  info: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 7.5V11M8 5h.01',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  cross: 'M4 4l8 8M12 4l-8 8',
  alert: 'M8 2.5 14.2 13H1.8zM8 6.5v3M8 11.3h.01',
  spin: 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5',
  clock: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 5v3l2 1.5',
  bolt: 'M9 1.8 3.5 9H8l-1 5.2L12.5 7H8z',
  stop: 'M4 4h8v8H4z',
  skip: 'M3.5 8h9',
  right: 'M6 4l4 4-4 4',
  down: 'M4 6l4 4 4-4',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  sun: 'M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1',
  contrast: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 2v12M10 2.5v11M12 3.7v8.6',
  unplugged:
    'M6.5 4.5 8 3a3.5 3.5 0 0 1 5 5l-1.5 1.5M9.5 11.5 8 13a3.5 3.5 0 0 1-5-5l1.5-1.5M2.5 2.5l11 11',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z',
  download: 'M8 2.5v7.5M4.8 7 8 10.2 11.2 7M2.5 13.5h11',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3l3.2 3.2',
  again: 'M13 8a5 5 0 1 1-1.5-3.5M13 2.5v3h-3',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z',
} as const

export type IconName = keyof typeof PATHS

export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg
    aria-hidden="true"
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    <path d={PATHS[name]} />
  </svg>
)

/** What only the first realm of a Node process has, and nothing of it can be made in another one. */
const NAMES = [
  ...[
    'AbortController',
    'AbortSignal',
    'Atomics',
    'Buffer',
    'CustomEvent',
    'DOMException',
    'Event',
  ],
  ...[
    'EventTarget',
    'FinalizationRegistry',
    'TextDecoder',
    'TextEncoder',
    'URL',
    'URLSearchParams',
  ],
  ...['WebAssembly', 'atob', 'btoa', 'crypto', 'import', 'structuredClone'],
]

const NEEDED = new RegExp(
  `\\b(?:${NAMES.join('|')})\\b|\\bfrom\\s*['"]|\\bperformance\\b(?!\\s*\\.\\s*now\\b)`,
)

/**
 * Whether the source of a component names what a realm of its own cannot have. Then it gets the first realm of a process
 * that no other run uses.
 */
export const needsNode = (source: string): boolean => NEEDED.test(source)

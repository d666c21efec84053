import { posix } from 'node:path'

/** Documents by their paths from the root of the repository. */
export type Documents = ReadonlyMap<string, string>

/** Longest allowed length in lines, by the beginning of the path; the first that fits counts. */
const LENGTHS: readonly [path: string, lines: number][] = [
  ['README.md', 200],
  ['ARCHITECTURE.md', 130],
  ['docs/adr/README.md', 100],
  ['docs/adr/', 60],
  ['docs/tutorial/', 200],
  ['docs/how-to/', 200],
]
/** Longest allowed entry of the changelog, in lines. */
const ENTRY_LINES = 60

/** Headings as GitHub makes anchors of them. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const withoutCode = (text: string): string =>
  text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '')

const anchorsOf = (text: string): string[] =>
  [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    anchorOf(heading),
  )

interface Link {
  from: string
  /** From the root of the repository. */
  path: string
  anchor: string
}

function linksOf(from: string, text: string): Link[] {
  const targets = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)]
  return targets
    .map(([, markdown, html]) => markdown ?? html ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#')
      return { from, path: path ? posix.join(posix.dirname(from), path) : from, anchor }
    })
}

/**
 * Every fault of the documents, as a line: broken links, pages that no link leads to from README, and those that are
 * too long.
 * @param exists whether the repository has a file or folder
 */
export function faultsOf(documents: Documents, exists: (path: string) => boolean): string[] {
  const links = [...documents].flatMap(([path, text]) => linksOf(path, text))
  const broken = links
    .filter(({ path, anchor }) => {
      const text = documents.get(path)
      return text === undefined ? !exists(path) : anchor !== '' && !anchorsOf(text).includes(anchor)
    })
    .map(({ from, path, anchor }) => `${from}: nothing is at ${path}${anchor && `#${anchor}`}`)
  return [
    ...broken,
    ...unreachable(documents, links),
    ...tooLong(documents),
    ...longEntries(documents.get('CHANGELOG.md') ?? ''),
  ]
}

function unreachable(documents: Documents, links: readonly Link[]): string[] {
  const reached = new Set(['README.md'])
  for (const page of reached)
    for (const { from, path } of links) if (from === page && documents.has(path)) reached.add(path)
  return [...documents.keys()]
    .filter((path) => !reached.has(path) && !path.startsWith('.github/'))
    .map((path) => `${path}: no link leads to it from README.md`)
}

function tooLong(documents: Documents): string[] {
  return [...documents].flatMap(([path, text]) => {
    const [, most = Number.POSITIVE_INFINITY] =
      LENGTHS.find(([beginning]) => path.startsWith(beginning)) ?? []
    const lines = text.split('\n').length - 1
    return lines > most ? [`${path}: ${lines} lines; at most ${most}`] : []
  })
}

const longEntries = (changelog: string): string[] =>
  changelog
    .split(/^## /m)
    .slice(1)
    .filter((entry) => entry.trimEnd().split('\n').length > ENTRY_LINES)
    .map((entry) => `CHANGELOG.md: ${entry.split('\n')[0]} has more than ${ENTRY_LINES} lines`)

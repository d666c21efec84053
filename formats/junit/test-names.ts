import { numbered } from '../tell-apart.ts'

export interface Named {
  classname: string
  title: string
  /** Names of the suites around it, the outermost first. */
  suites: readonly string[]
  file: string
  project: string
}

/** The name of a test: its class, or its suite where it has none, and its title. */
export function nameOf({ classname, title, suites }: Named): string {
  const around = classname || (suites.at(-1) ?? '')
  if (title === '') return around || 'A test without a name'
  // Nose2 takes the last point for the end of the class in `setUpClass (shop.Cart)`, too.
  if (/ \([^)]*$/.test(around) && title.endsWith(')')) return `${around}.${title}`
  // Reporters of Mocha may change places: the whole title is the class then.
  if (around.endsWith(` ${title}`)) return around
  return around === '' || isWithin(around, title)
    ? title
    : `${around} ${withoutSuite(around, title)}`
}

/** Karma has the browser and the suite in the class, and the suite in the title once more. */
function withoutSuite(around: string, title: string): string {
  const suite = around.slice(around.lastIndexOf('.') + 1)
  return title.startsWith(`${suite} `) ? title.slice(suite.length + 1) : title
}

/**
 * Names that tell all tests of a report apart: where two are alike their suite is part of the name, else the project or
 * the file; rows of one name are numbered as they stand.
 */
export function uniqueNames(tests: readonly Named[]): string[] {
  const names = tests.map(nameOf)
  for (const alike of groups(names.map((name, at) => ({ name, at })))) {
    const marks = MARKS.map((mark) => alike.flatMap(({ at }) => tests.slice(at, at + 1).map(mark)))
    const most = Math.max(...marks.map((each) => new Set(each).size))
    const chosen = marks.find((each) => new Set(each).size === most) ?? []
    for (const [nth, { name, at }] of alike.entries())
      if (most > 1 && chosen[nth]) names[at] = `${name} [${chosen[nth]}]`
  }
  return numbered(names)
}

/** Those of each name. */
function groups<Each extends { name: string }>(all: readonly Each[]): Each[][] {
  const byName = new Map<string, Each[]>()
  for (const each of all) {
    const alike = byName.get(each.name)
    if (alike) alike.push(each)
    else byName.set(each.name, [each])
  }
  return [...byName.values()]
}

const MARKS: readonly ((test: Named) => string)[] = [
  ({ suites }) => suites.at(-1) ?? '',
  ({ suites }) => suites.filter(Boolean).join(' › '),
  ({ project }) => project,
  ({ file }) => file,
  ({ suites, file }) => [...suites, file].filter(Boolean).join(' › '),
]

/** jest-junit and CTest write the same twice; reporters of Mocha have the class at the end of the title. */
const isWithin = (around: string, title: string): boolean =>
  title === around ||
  (title.startsWith(around) && /^[\s.:#›>/-]/.test(title.slice(around.length))) ||
  (title.endsWith(around) && /[\s.:#›>/-]$/.test(title.slice(0, -around.length)))

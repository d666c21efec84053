import { xmlText } from '../../formats/xml-text.ts'

/** Name of a test in a JUnit report, and words that tell it apart from another of the same name. */
export interface NamedCase {
  name: string
  classname: string
  environment?: string | null
  /** Path of its row, or of the step that reported it. */
  place?: string
}

/**
 * Gives each case a pair of (classname, name) of its own, as build servers keep one history for a pair: a class that ran in
 * several environments has theirs, names that are alike their place, and those still alike their number in order. None of
 * it depends on how a case ended.
 */
export function uniqueCases<T extends NamedCase>(cases: readonly T[]): T[] {
  const environments = new Map<string, Set<string>>()
  for (const { classname, environment } of cases)
    if (environment)
      environments.set(classname, (environments.get(classname) ?? new Set()).add(environment))
  const inEnvironment = cases.map((each) => {
    const isInSeveral = (environments.get(each.classname)?.size ?? 0) > 1
    return isInSeveral && each.environment
      ? { ...each, classname: `${each.classname} [${each.environment}]` }
      : each
  })
  const counts = new Map<string, number>()
  for (const each of inEnvironment) counts.set(pairOf(each), (counts.get(pairOf(each)) ?? 0) + 1)
  const taken = new Map<string, number>()
  return inEnvironment.map((each) => {
    const isAlike = (counts.get(pairOf(each)) ?? 0) > 1
    const name = isAlike && each.place ? `${each.name} (${each.place})` : each.name
    const base = pairOf({ ...each, name })
    let own = { ...each, name }
    for (let at = taken.get(base) ?? 1; taken.has(pairOf(own)); ) {
      at += 1
      own = { ...each, name: `${name} (${at})` }
      taken.set(base, at)
    }
    taken.set(pairOf(own), 1)
    return own
  })
}

/** As the file carries it: all signs that XML has not are one. */
const pairOf = ({ classname, name }: NamedCase): string => xmlText(`${classname}\n${name}`)

import type { PlannedRequest } from '../links/link.ts'
import type { Ask } from './ask.ts'
import { listName, selectionFor } from './entity-query.ts'
import { requestOf } from './fetch.ts'
import { getOwn, type Json } from './own.ts'
import type { PlanRun } from './plan-run.ts'

/** Alias of the entities of an ask in a merged response. */
export const aliasOf = (index: number): string => `_entities_${index}`

/** One query for several asks, each under an alias. Asks with equal representations share one list of them. */
export function mergedRequest(
  run: Pick<PlanRun, 'variables'>,
  asks: readonly Ask[],
): PlannedRequest {
  const variables: Json = {}
  const declared = new Set<string>()
  const lists = new Map<string, { name: string; representations: readonly Json[] }>()
  let selected = ''
  for (const [index, { fetch, representations, text: textOf, values = {} }] of asks.entries()) {
    const text = textOf()
    const list = lists.get(text) ?? { name: listName(lists.size), representations }
    lists.set(text, list)
    declared.add(`$${list.name}:[_Any!]!`)
    for (const declaration of fetch.query?.variables ?? []) declared.add(declaration)
    Object.assign(variables, requestOf(run, fetch.node).variables)
    const suffix = `_${index}`
    for (const { name, type } of fetch.query?.contextual ?? []) {
      const value = getOwn(values, name)
      declared.add(`$${name}${suffix}:${type}`)
      if (value !== undefined) variables[name + suffix] = value
    }
    const selection = fetch.query && selectionFor(fetch.query, suffix)
    selected += `${aliasOf(index)}:_entities(representations:$${list.name})${selection}`
  }
  const { name = '', directives = [] } = asks[0]?.fetch.query ?? {}
  const document = `query ${name}(${[...declared].join()})${directives.join('')}{${selected}}`
  const others = JSON.stringify(variables).slice(1, -1)
  const members = others ? [others] : []
  for (const [text, list] of lists) {
    members.push(`"${list.name}":[${text}]`)
    variables[list.name] = list.representations
  }
  const body = `{"query":${JSON.stringify(document)},"variables":{${members.join(',')}}}`
  return { kind: 'query', document, variables, body }
}

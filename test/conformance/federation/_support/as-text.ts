import type { ExecutionResult } from 'graphql'
import type { SubgraphLink } from '../../../../gateway/federation/links/link.ts'
import type { OperationResult } from '../../../../gateway/federation/operation/operation-result.ts'
import { parseExact } from '../../../../schema/json.ts'

/** The same link, of which every second answer comes as a text, as from another process. */
export function sometimesAsText(link: SubgraphLink): SubgraphLink {
  let requests = 0
  return {
    ...link,
    async execute(request, context) {
      const result = await link.execute(request, context)
      if (requests++ % 2 === 0) return result
      const text = `${JSON.stringify(result)}\n`
      return request.read?.(text) ?? (parseExact(text) as ExecutionResult)
    },
  }
}

/** A result as clients get it. @throws unless those who look into its data find the same */
export function asWritten(result: OperationResult): ExecutionResult {
  const read = JSON.stringify(result)
  if (result.text !== read) throw new Error(`Written ${result.text}\nbut read ${read}`)
  return JSON.parse(result.text)
}

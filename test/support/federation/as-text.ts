import type { ExecutionResult } from 'graphql'
import { parseExact } from '../../../formats/json/json.ts'
import type { SubgraphLink } from '../../../gateway/federation/links/link.ts'

/** The same link, of which every second answer comes as a text, as from another process. */
export function sometimesAsText(link: SubgraphLink): SubgraphLink {
  let requests = 0
  return {
    ...link,
    async execute(request, context) {
      const result = await link.execute(request, context)
      if (requests++ % 2 === 0) return result
      return parseExact(JSON.stringify(result)) as ExecutionResult
    },
  }
}

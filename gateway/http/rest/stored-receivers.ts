import { LRUCache } from 'lru-cache'
import { AppError } from '../../../formats/errors.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import type { Receiver } from '../../../rest-bridge/receivers/receiver.ts'
import { type StoredReceiver, storedReceiver } from '../../../rest-bridge/receivers/stored.ts'
import type { SubgraphLink } from '../../federation/index.ts'

const ASK = 'query StoredReceiver($name: String!) { storedReceiver(name: $name) }'

/** A change is in effect after this time. */
const KNOWN_MS = 1_000
const MOST_KNOWN = 1_000

/** Finds the stored receiver of a request. @returns null where there is none @throws AppError of the subgraph that has it */
export type FindReceiver = (name: string, caller: Caller) => Promise<Receiver | null>

export function storedReceivers(link: Pick<SubgraphLink, 'execute'>): FindReceiver {
  const known = new LRUCache<string, Promise<Receiver | null>>({ max: MOST_KNOWN, ttl: KNOWN_MS })

  const find: FindReceiver = async (name, { requestId, traceparent, address }) => {
    const caller = {
      ...{ requestId, user: null, permissions: [] },
      ...(traceparent && { traceparent }),
      ...(address !== undefined && { address }),
    }
    const { data, errors } = await link.execute(
      { kind: 'query', document: ASK, variables: { name } },
      { caller },
    )
    if (errors?.[0]) throw errors[0]
    if (!data) throw new AppError('OVERLOADED', 'The receiver could not be read; try again')
    const { storedReceiver: stored } = data as { storedReceiver: StoredReceiver | null } // as that subgraph answers
    return stored && storedReceiver(stored)
  }

  return (name, caller) => {
    const found = known.get(name) ?? find(name, caller)
    known.set(name, found)
    // Only those that exist are worth a place, and a failure passes.
    found.then(
      (receiver) => receiver ?? known.delete(name),
      () => known.delete(name),
    )
    return found
  }
}

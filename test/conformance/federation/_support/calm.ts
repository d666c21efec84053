import type { Context } from '../../../../subgraphs/shared/caller.ts'

/** A request that no chaos befalls. */
export const CALM: Context = { caller: { requestId: 'calm', user: null } }

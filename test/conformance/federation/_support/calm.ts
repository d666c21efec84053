import { type Context, openCaller } from '../../../../subgraphs/platform/access/caller.ts'

/** A request that no chaos befalls. */
export const CALM: Context = { caller: openCaller('calm') }

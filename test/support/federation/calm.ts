import { type Context, openCaller } from '../../../platform/access/caller.ts'

/** A request that no chaos befalls. */
export const CALM: Context = { caller: openCaller('calm') }

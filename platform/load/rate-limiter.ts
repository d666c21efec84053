import cluster from 'node:cluster'
import {
  type IRateLimiterOptions,
  RateLimiterCluster,
  RateLimiterMemory,
} from 'rate-limiter-flexible'

export type RateLimiter = RateLimiterMemory | RateLimiterCluster

/** Counts in this process; where PROCESSES starts several, all of them count together. @param options its prefix names it */
export const createRateLimiter = (
  options: IRateLimiterOptions & { keyPrefix: string },
): RateLimiter =>
  cluster.isWorker ? new RateLimiterCluster(options) : new RateLimiterMemory(options)

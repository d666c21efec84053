import { useAssay } from './_support/product.ts'
import './limits/many-waiting.ts'
import './limits/slow-subscriber.ts'

/** A product that runs one execution at a time and has little patience with its subscribers. */
useAssay({
  env: {
    WORKER_SLOTS: '1',
    SUBSCRIPTION_BUFFER_BYTES: '100000',
    SUBSCRIPTION_STALL_MS: '1000',
  },
})

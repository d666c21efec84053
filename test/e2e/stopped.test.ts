import { useAssay } from './_support/product.ts'
import './stopped/parts-down.ts'
import './stopped/stop.ts' // its last test leaves no gateway

/** Parts of the product are away for a while. */
useAssay()

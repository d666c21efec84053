import { DeliveryList } from '../callbacks/delivery-list.tsx'
import { ExecutionCallbacksDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { Empty } from '../ui/parts.tsx'
import { TabRead } from './tab-read.tsx'

/** Callbacks of this execution. */
export default function ExecutionCallbacks({ id }: { id: string }) {
  const reading = useRead(ExecutionCallbacksDocument, { id })
  return (
    <TabRead reading={reading}>
      {(data) => {
        const deliveries = data?.executionResult?.callbackDeliveries ?? []
        return deliveries.length === 0 ? (
          <Empty icon="send" title="No callback">
            <p>An execution that is started with a callback URL posts its result there.</p>
          </Empty>
        ) : (
          <DeliveryList deliveries={deliveries} onChange={reading.reload} />
        )
      }}
    </TabRead>
  )
}

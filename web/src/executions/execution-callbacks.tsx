import { DeliveryList } from '../callbacks/delivery-list.tsx'
import { ExecutionCallbacksDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { Empty } from '../ui/parts.tsx'
import { Loading, Problem } from '../ui/waiting.tsx'

/** What became of the callbacks of this execution. */
export default function ExecutionCallbacks({ id }: { id: string }) {
  const { data, error, isLoading, reload } = useRead(ExecutionCallbacksDocument, { id })
  if (error) return <Problem message={error} retry={reload} />
  if (isLoading)
    return (
      <div className="body">
        <Loading />
      </div>
    )
  const deliveries = data?.executionResult?.callbackDeliveries ?? []
  if (deliveries.length === 0)
    return (
      <Empty icon="send" title="No callback">
        <p>An execution that is started with a callback URL posts its result there.</p>
      </Empty>
    )
  return <DeliveryList deliveries={deliveries} onChange={reload} />
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { deliveryOf, executeWithCallback } from '../../conformance/callbacks.ts'
import { type Collector, startCollector, status } from '../../support/collector.ts'
import { assay, useAssay } from '../../support/e2e/product.ts'

useAssay()

describe('callbacks', () => {
  let collector: Collector
  beforeEach(async () => {
    collector = await startCollector()
  })
  afterEach(() => collector.stop())

  /** The key that the product was given, or made for itself. */
  async function signingSecret(): Promise<string> {
    const { CALLBACK_SIGNING_SECRET, DATA_DIR = '' } = assay().env
    if (CALLBACK_SIGNING_SECRET) return CALLBACK_SIGNING_SECRET
    const keys: unknown = JSON.parse(await readFile(join(DATA_DIR, 'keys.json'), 'utf8'))
    return (keys as { callbackSigningSecret: string }).callbackSigningSecret
  }

  test('a receiver can check with the key of the product who calls it', async () => {
    const id = await executeWithCallback(`${collector.url}/hook?token=receiver-token`)
    await deliveryOf(id, ({ state }) => state === 'DELIVERED')
    const [request] = collector.requests
    const webhook = new Webhook(await signingSecret())
    const headers = request?.headers as Record<string, string>
    expect(webhook.verify(request?.body ?? '', headers)).toMatchObject({ id, state: 'COMPLETED' })
    expect(() => webhook.verify(`${request?.body} `, headers)).toThrow()
    await assay().says(assay().parts.runner, /Callback delivered/)
    const logs = assay().logs()
    for (const secret of ['receiver-token', await signingSecret()])
      expect(logs).not.toContain(secret)
  })

  test('a callback whose process is killed before it is delivered is delivered by the next one', async () => {
    const { runner } = assay().parts
    collector.answer(() => {})
    const id = await executeWithCallback(collector.url)
    await collector.received(1)
    await assay().kill(runner, 'SIGKILL')
    collector.answer(status(200))
    await assay().restart(runner)
    const delivery = await deliveryOf(id, ({ state }) => state === 'DELIVERED')
    expect(delivery.attempts).toMatchObject([{ status: 200 }])
    expect(collector.requests.map(({ headers }) => headers['webhook-id'])).toEqual([
      delivery.id,
      delivery.id,
    ])
  })
})

import { lastWordsOf } from '../../support/e2e/last-words.ts'
import { assay } from '../../support/e2e/product.ts'

describe('start', () => {
  test('a product that only its own machine reaches warns of nothing', () => {
    expect(assay().logs()).not.toContain('everybody who reaches')
  })

  test('a second process in the place of the first gets a clear error and does no harm', async () => {
    const { gateway } = assay().parts
    const { port } = new URL(assay().url)
    const output = await lastWordsOf(gateway, { ...assay().env, LOG_LEVEL: 'info', PORT: port })
    const { DATA_DIR } = assay().env
    expect(output).toMatch(
      assay().mode === 'in-process'
        ? `Another Assay process uses the data folder ${DATA_DIR}`
        : `address already in use 127.0.0.1:${port}`,
    )
    expect((await fetch(`${assay().url}/healthz`)).status).toBe(200)
  })
})

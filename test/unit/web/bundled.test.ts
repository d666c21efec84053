import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { artifactsOf, readFiles } from '../../../cli/folder/files.ts'
import { bundledFrom } from '../../../web/src/repository/bundled.ts'

test('a component of several modules names the file that it was bundled from, as the web client reads it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bundled-'))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('price.component.yaml', 'source: price.ts')
  write(
    'price.ts',
    "import { rate } from './rate.ts'\nexport const price = (a: number) => a * rate",
  )
  write('rate.ts', 'export const rate = 2')
  try {
    const [component] = artifactsOf(
      await readFiles([folder], { env: {}, options: {}, signal: new AbortController().signal }),
    )
    expect(component?.language).toBe('JAVASCRIPT')
    expect(bundledFrom(String(component?.sourceCode))).toBe('price.ts')
  } finally {
    rmSync(folder, { recursive: true })
  }
  expect(bundledFrom("import { rate } from './rate.ts'")).toBe(null)
})

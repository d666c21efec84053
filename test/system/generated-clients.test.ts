import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Assay, startAssay } from '../support/assay.ts'
import { GENERATED_CLIENTS, type GeneratedClient } from '../support/system/generated-clients.ts'

const run = promisify(execFile)

const MODULES = join(import.meta.dirname, '..', '..', 'node_modules')
const ADDRESSES = { 'OpenAPI 3.1': 'v3/api-docs', 'Swagger 2.0': 'v2/api-docs' } as const

/** As strict as the compiler can be with the code of generators. */
const STRICT = [
  ...['--strict', '--skipLibCheck', 'false', '--noUncheckedIndexedAccess'],
  ...['--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom,dom.iterable'],
  ...['--types', 'node', '--rewriteRelativeImportExtensions', '--rootDir', '.'],
]

let assay: Assay | undefined
let folder: string
let base: string

/** Generates every client from the documents of the running product, and compiles all of them with their programs. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-generated-'))
  await symlink(MODULES, join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  assay = await startAssay({ mode: 'in-process' })
  base = `${assay.url}/api`
  for (const client of GENERATED_CLIENTS) await generate(client)
  const programs = GENERATED_CLIENTS.map((client) => join(folderOf(client), 'program.ts'))
  await program('tsc', [...STRICT, ...programs])
})

afterAll(async () => {
  await assay?.stop()
  await rm(folder, { recursive: true })
})

const folderOf = ({ name, document }: GeneratedClient) =>
  join(folder, `${name} ${document}`.replace(/\W/g, '-'))

const program = (name: string, args: readonly string[]) =>
  run(process.execPath, [join(MODULES, '.bin', name), ...args], { cwd: folder }).catch(
    ({ stdout, stderr }) => {
      throw new Error(`${name}: ${stdout}${stderr}`)
    },
  )

async function generate(client: GeneratedClient): Promise<void> {
  const own = folderOf(client)
  const document = join(own, 'document.json')
  const output = { target: join(own, 'client.ts'), client: 'fetch', baseUrl: base }
  await mkdir(own)
  await writeFile(document, await (await fetch(`${base}/${ADDRESSES[client.document]}`)).text())
  await writeFile(
    join(own, 'orval.config.mjs'),
    `export default ${JSON.stringify({ client: { input: document, output } })}`,
  )
  await writeFile(join(own, 'program.ts'), client.program)
  const [generator = '', ...args] = client.command(document, own)
  await program(generator, args)
}

test.each(GENERATED_CLIENTS)(
  'a strict client that $name makes of $document sends events and executes a scenario',
  async (client) => {
    const file = join(folderOf(client), 'program.js')
    const { stdout } = await run(process.execPath, [file], { env: { ...process.env, BASE: base } })
    expect(JSON.parse(stdout)).toEqual({
      sent: [1, 2],
      attempts: 3,
      state: 'COMPLETED',
      isLogged: true,
      listed: [true],
    })
  },
)

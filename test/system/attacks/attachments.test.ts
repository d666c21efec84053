import { readdirSync } from 'node:fs'
import { type Assay, startAssay } from '../../support/assay.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client, USERS_ENV } from '../../support/e2e/users.ts'
import { newRepository, type Repository } from '../../support/system/assay-command.ts'

const LIMITS = { ATTACHMENT_BYTES: '1000', ATTACHMENTS_BYTES: '2500' }
const SCOPES = ['artifacts:read', 'artifacts:write', 'executions:run', 'executions:read']
const PAGE = '<script>fetch("/api/component")</script>'

let assay: Assay
let client: Client
let repository: Repository
let token: Record<string, string>

beforeAll(async () => {
  const env = { ...USERS_ENV, ...LIMITS, COMMAND_STEPS: 'on' }
  assay = await startAssay({ mode: 'in-process', env })
  client = new Client(assay.url)
  const { secret } = await client.token(basic(ADMIN, ADMIN_PASSWORD), SCOPES)
  token = { authorization: `Bearer ${secret}` }
  repository = await newRepository(assay, { ASSAY_TOKEN: secret })
})

afterAll(async () => {
  await assay.stop()
  repository.remove()
})

interface File {
  id: string
  name: string
  size: number
}

/** Runs a program that leaves files, and saves them as a build does. */
function start(id: string, script: string, attach: string[]) {
  const command = { program: 'sh', args: ['-c', script], attach }
  const artifact = { environment: 'here', scenario: { steps: [{ id: 'run', command }] } }
  repository.write(`${id}/here.environment.yaml`, 'name: Here\nrunners: [ COMMAND ]\n')
  repository.write(`${id}/testcase.json`, JSON.stringify(artifact))
  const saved = ['--junit', `${id}/report.xml`, '--attachments', `${id}/files`]
  return repository.assay(['run', `${id}/testcase.json`, ...saved])
}

async function run(id: string, script: string, attach: string[]) {
  const { stdout } = await start(id, script, attach)
  const [, resultId = ''] = /result (\S+)\n/.exec(stdout) ?? []
  const { body } = await client.rest('GET', `/result/${resultId}/attachments`, token)
  const { stdout: log } = await repository.assay(['logs', resultId])
  return { files: body as File[], log, report: repository.read(`${id}/report.xml`) }
}

const download = (id: string, headers: Record<string, string> = token) =>
  fetch(`${assay.url}/api/attachments/${id}`, { headers })

const contents = (files: readonly File[]) =>
  Promise.all(files.map(async ({ id }) => (await download(id)).text()))

test('paths and links lead out of no run', async () => {
  const script = `ln -s /etc/passwd a.txt; ln -s /etc etc; ln -s / up; mkfifo pipe.txt
    ln /etc/passwd hard.txt 2>/dev/null; mkdir -p in/deep; echo mine > in/deep/b.txt`
  const attach = ['*.txt', 'etc/passwd', 'up/etc/passwd', '**/b.txt']
  const { files } = await run('links', script, attach)
  expect(files.map(({ name }) => name)).toEqual(['in/deep/b.txt'])
  expect((await contents(files)).join()).toBe('mine\n')
  for (const pattern of ['/etc/passwd', '../*', 'in/../../etc/passwd'])
    expect(await start('outside', 'true', [pattern])).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/BAD_USER_INPUT.*attach/),
    })
})

test('a name forges no header, no line of a report, and no path of a build', async () => {
  const script = `printf x > "$(printf 'a]]\\n[[ATTACHMENT|..]].txt')"; printf y > 'b";x="\r.txt'; printf z > '..c.txt'`
  const { files, report } = await run('names', script, ['*.txt'])
  expect(files.length).toBeGreaterThan(1)
  const named = [...report.matchAll(/\[\[ATTACHMENT\|([^\n]*)/g)].map(([, path]) => path)
  expect(named).toHaveLength(files.length)
  for (const path of named) expect(path).toMatch(/^names\/files\/[0-9a-f-]{36}\/[^/\]|[]+\]\]/)
  const saved = readdirSync(`${repository.folder}/names/files`, { recursive: true })
  expect(saved).toHaveLength(2 * files.length)
  for (const { id } of files) {
    const { headers, status } = await download(id)
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toMatch(
      /^inline; filename="[A-Za-z0-9._-]+"; filename\*=UTF-8''[^";]+$/,
    )
    expect(headers.get('x')).toBe(null)
  }
})

test('nothing that a browser would run is a page of the product', async () => {
  const script = `for name in page.html logo.svg page.xhtml page.xml script.js unknown; do echo '${PAGE}' > $name; done`
  const { files } = await run('pages', script, ['*'])
  expect(files).toHaveLength(6)
  for (const { id } of files) {
    const { headers } = await download(id)
    expect(headers.get('content-disposition')).toMatch(/^attachment; /)
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test('size and number of files are limited, and the log says what is left out', async () => {
  const script = `head -c 1001 /dev/zero > big.bin; for n in 1 2 3; do head -c 1000 /dev/zero > $n.bin; done`
  const { files, log } = await run('sizes', script, ['*.bin'])
  expect(files.map(({ name }) => name)).toEqual(['1.bin', '2.bin'])
  expect(log).toMatch(/Not attached: big\.bin is larger than 1000 bytes/)
  expect(log).toMatch(/Not attached: 3\.bin/)
  const many = await run('many', 'for n in $(seq 300); do : > $n.e; done', ['*.e'])
  expect(many.files).toHaveLength(200)
})

const imported = (files: object[]) => ({
  name: 'imported',
  scenarios: [
    { name: 'a', state: 'FAILED', steps: [{ name: 's', state: 'FAILED', attachments: files }] },
  ],
})

test('imported files have the same walls', async () => {
  const attack = { name: '../../../etc/cron.d/x', contentType: 'text/html', base64: btoa(PAGE) }
  const { body } = await client.rest('POST', '/executions/import', token, imported([attack]))
  const [{ id: member }] = body.testCaseResults
  const { body: files } = await client.rest('GET', `/result/${member}/attachments`, token)
  const { headers } = await download(files[0].id)
  expect(headers.get('content-disposition')).toBe(`attachment; filename="x"; filename*=UTF-8''x`)
  const forged = { ...attack, contentType: 'text/html\r\nX-Evil: 1' }
  const again = await client.rest('POST', '/executions/import', token, imported([forged]))
  expect(again.status).toBe(200)
  const none = Array.from({ length: 201 }, (_, n) => ({ name: `${n}`, base64: '' }))
  expect(await client.rest('POST', '/executions/import', token, imported(none))).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('201 in one import, expected at most 200') },
  })
})

test('only readers of executions get them', async () => {
  const { files } = await run('mine', 'echo mine > m.txt', ['m.txt'])
  const [{ id }] = files as [File]
  const reader = await client.account('reader@example.com', 'READER')
  expect((await download(id, reader.headers)).status).toBe(200)
  const { secret } = await client.token(reader.headers, ['events:read'])
  const asEvents = { authorization: `Bearer ${secret}` }
  expect((await download(id, {})).status).toBe(401)
  expect((await download(id, asEvents)).status).toBe(403)
  const QUERY = 'query ($id: ID!) { attachment(id: $id) { base64 } }'
  expect(await client.graphql(QUERY, asEvents, { id })).toMatchObject({ code: 'FORBIDDEN' })
  for (const other of [
    '..%2f..%2fetc%2fpasswd',
    'x',
    `${id}%00`,
    '00000000-0000-0000-0000-000000000000',
  ])
    expect((await download(other)).status).toBeGreaterThanOrEqual(400)
})

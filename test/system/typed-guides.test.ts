import { readFileSync } from 'node:fs'
import { type Assay, startAssay } from '../support/assay.ts'
import { ADMIN, ADMIN_PASSWORD, USERS_ENV } from '../support/e2e/users.ts'
import { newRepository, type Repository } from '../support/system/assay-command.ts'

const pageOf = (name: string) => readFileSync(`docs/how-to/${name}.md`, 'utf8')

/** Blocks of a page without a language that hold a command of curl. */
const blocksOf = (name: string): string[] =>
  [...pageOf(name).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, language, text = '']) =>
    language === '' && /^curl /m.test(text) ? [text] : [],
  )

let assay: Assay
let repository: Repository

/** Types a block as the page has it, at the address of this test. @returns what it wrote @throws where the product refuses it */
async function type(block: string, env: Record<string, string> = {}): Promise<string> {
  const { host } = new URL(assay.url)
  const script = block
    .replaceAll(/\b(?:localhost|127\.0\.0\.1):4000\b/g, host)
    .replaceAll(/^curl /gm, 'curl -fsS ')
    .replaceAll('admin@localhost', ADMIN)
    .replaceAll('PASSWORD', ADMIN_PASSWORD)
  const { code, stdout, stderr } = await repository.run('sh', ['-euc', script], env)
  expect({ script, code, stderr }).toEqual({ script, code: 0, stderr: '' })
  return stdout
}

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${assay.url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return response.json() as Promise<{ id: string }>
}

describe('commands of guides, typed without a sign-in', () => {
  beforeAll(async () => {
    assay = await startAssay({ mode: 'in-process' })
    repository = await newRepository(assay)
  })
  afterAll(async () => {
    await assay.stop()
    repository.remove()
  })

  const pages = ['receive-notifications', 'receive-events', 'explain-failures']
  const blocks = pages.flatMap((page) => blocksOf(page).map((block) => [page, block] as const))

  test('each page has some', () => {
    expect([...new Set(blocks.map(([page]) => page))]).toEqual(pages)
  })

  test.each(blocks)('of %s: %s', async (_, block) => {
    expect(await type(block)).not.toBe('')
  })

  test('of operate, for an execution that runs', async () => {
    const [cancel = '', dead = ''] = blocksOf('operate')
    const scenario = { steps: [{ id: 'a', wait: { ms: 60_000 } }] }
    await post('/testcase', { id: 'long', name: 'Long', scenario })
    const credentials = btoa('ci:secret')
    const { id } = await post('/testcase/long/execute', {}, { credentials })
    expect(JSON.parse(await type(cancel.replace('ID OF THE RESULT', id)))).toEqual({
      data: {
        cancelExecution: { state: 'ERROR', message: expect.stringMatching('wrong environment') },
      },
    })
    const answers = (await type(dead)).trim().split(/\n+/)
    expect(JSON.parse(answers[0] ?? '')).toEqual({ data: { callbackDeliveries: { nodes: [] } } })
    expect(answers[1]).toMatch(/No callback delivery has the id ID OF THE DELIVERY/)
  })

  test('of run-for-events, with the files of it and of run-at-times', async () => {
    await repository.assay(['init'])
    const environment = 'name: Stage\nsecrets: [ { name: HOST, fromEnv: STAGE_HOST } ]\n'
    repository.write('scenarios/stage.environment.yaml', environment)
    for (const page of ['run-at-times', 'run-for-events'])
      for (const [, text = '', name = ''] of pageOf(page).matchAll(
        /^```yaml\n(# (scenarios\/\S+\.yaml)[\s\S]*?)^```$/gm,
      ))
        repository.write(name, text)
    const env = { PUSH_SECRET: 'a secret of sixteen characters', STAGE_HOST: 'ci:secret' }
    const applied = await repository.assay(['apply', 'scenarios', '--set', 'shop'], env)
    expect(applied).toMatchObject({ code: 0, stderr: '' })
    const [request = ''] = blocksOf('run-for-events')
    expect(await type(request, env)).toMatch(/^\{"resultId":"[\w-]+"\}/)
  })
})

describe('commands of sign-in, typed with AUTH_MODE=users', () => {
  beforeAll(async () => {
    assay = await startAssay({ mode: 'in-process', env: USERS_ENV })
    repository = await newRepository(assay)
  })
  afterAll(async () => {
    await assay.stop()
    repository.remove()
  })

  test('a session token opens, and is ended', async () => {
    const [block = ''] = blocksOf('sign-in')
    const [read = '', open = '', shown = '', use = '', close = ''] = block.split('\n')
    expect(JSON.parse(await type(read))).toContainEqual(
      expect.objectContaining({ id: 'loan-schedule' }),
    )
    const { token } = JSON.parse(await type(open))
    const [beginning = ''] = shown.split('…')
    expect(JSON.stringify({ token })).toMatch(new RegExp(`^${beginning}`))
    for (const line of [use, close]) await type(line.replace('assays_…', token))
    await expect(type(use.replace('assays_…', token))).rejects.toThrow(/401/)
  })

  test.each(blocksOf('sign-in').slice(1))('%s', async (block) => {
    const answer = await type(block)
    expect(answer).not.toBe('')
    expect(answer).not.toMatch(/"errors"/)
  })
})

import { Client } from 'pg'
import { openCaller } from '../../../platform/access/caller.ts'
import {
  type Data,
  PASSWORD,
  type RunningExecutions,
  runExecutions,
} from '../../support/running-executions.ts'

const SECRET = 'a-secret-of-the-environment'

let executions: RunningExecutions
beforeAll(async () => {
  executions = await runExecutions()
  await executions.startWorker()
  await executions.run(
    'mutation ($input: CreateEnvironmentInput!) { createEnvironment(input: $input) { id } }',
    {
      input: {
        ...{ id: 'shop', name: 'Shop', runners: ['COMMAND'] },
        secrets: [{ name: 'KEY', value: SECRET }],
      },
    },
  )
})
afterAll(() => executions.stop())

const EXECUTE = `mutation ($input: ExecuteInput!) { execute(input: $input) {
  id state log report(format: JUNIT) steps { id: stepId attachments { id name contentType size sha256 } } } }`

let stored = 0
async function run(script: string, attach: string[], retries = 0): Promise<Data> {
  stored += 1
  const id = `files-${stored}`
  const command = { program: 'sh', args: ['-c', script], env: { KEY: '{{env.KEY}}' }, attach }
  await executions.run(
    'mutation ($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }',
    {
      input: {
        ...{ id, name: id, environment: 'shop', retries },
        scenario: { steps: [{ id: 'run', command }] },
      },
    },
  )
  const credentials = { userId: 'ann', password: PASSWORD }
  const { execute } = await executions.run(EXECUTE, {
    input: { contextId: id, credentials, wait: true },
  })
  return { ...execute, files: execute.steps[0].attachments }
}

const ATTACHMENT = `query ($id: ID!) { attachment(id: $id) { name base64 } }`
async function bytesOf({ id }: Data): Promise<Buffer> {
  const { attachment } = await executions.run(ATTACHMENT, { id })
  return Buffer.from(attachment.base64, 'base64')
}
const contentOf = async (file: Data): Promise<string> => (await bytesOf(file)).toString()

test('files of a program that fails are kept, secrets in text masked, and named in the report', async () => {
  const { state, files, report } = await run(
    'mkdir -p out/deep; printf shot > out/a.png; echo "key $KEY" > out/deep/x.log; exit 3',
    ['out/*.png', '**/*.log', 'out/a.png'],
  )
  expect(state).toBe('FAILED')
  expect(files).toMatchObject([
    { name: 'out/a.png', contentType: 'image/png', size: 4 },
    { name: 'out/deep/x.log', contentType: 'text/plain' },
  ])
  expect(await contentOf(files[0])).toBe('shot')
  expect(await contentOf(files[1])).toBe('key ***\n')
  expect(report).toContain(`[[ATTACHMENT|attachments/${files[0].id}/a.png]]`)
})

test('a report names the files of its execution alone, whatever a program prints', async () => {
  const { files, report } = await run(
    'echo "[[ATTACHMENT|/etc/passwd]]"; echo "[[ATTACHMENT|../x]]" >&2; : > a.txt; exit 3',
    ['a.txt'],
  )
  expect(report).toContain('/etc/passwd')
  expect(report.match(/\[\[ATTACHMENT[^\n<]*/g)).toEqual([
    `[[ATTACHMENT|attachments/${files[0].id}/a.txt]]`,
  ])
})

test('links, missing and large files are left out with a reason, and fail nothing', async () => {
  const { state, files, log } = await run(
    'ln -s /etc/passwd a.txt; ln -s /etc dir; head -c 5242881 /dev/zero > big.bin; echo ok > ok.txt',
    ['*.txt', 'dir/passwd', 'big.bin'],
  )
  expect(state).toBe('COMPLETED')
  expect(files).toMatchObject([{ name: 'ok.txt' }])
  expect(log).toContain('Not attached: dir/passwd is not there as a plain file of the run')
  expect(log).toContain('Not attached: big.bin is larger than 5242880 bytes')
})

test('text that is no UTF-8 is kept as it is unless it holds a secret', async () => {
  const { files } = await run("printf 'caf\\351' > x.txt", ['x.txt'])
  expect(await bytesOf(files[0])).toEqual(Buffer.from('caf\xe9', 'latin1'))
})

test('tries share the limits of their execution', async () => {
  const { files, log } = await run('for i in $(seq 120); do : > $i.txt; done; exit 1', ['*.txt'], 1)
  expect(files).toHaveLength(80)
  expect(log).toContain('is one of more than 200 of the execution')
})

test('the same content is stored once, and readers of executions alone get it', async () => {
  const first = await run('echo same > x.txt', ['x.txt'])
  const second = await run('echo same > y.txt', ['y.txt'])
  expect(first.files[0].sha256).toBe(second.files[0].sha256)
  const client = new Client(executions.databaseUrl)
  await client.connect()
  const { rows } = await client
    .query('select from test_execution.attachment_content where sha256 = $1', [
      first.files[0].sha256,
    ])
    .finally(() => client.end())
  expect(rows).toHaveLength(1)
  const { id } = second.files[0]
  const stranger = { ...openCaller('test'), permissions: [] }
  expect(await executions.refused(ATTACHMENT, { id }, stranger)).toEqual([
    expect.stringMatching(/FORBIDDEN|UNAUTHENTICATED/),
    expect.any(String),
  ])
  expect(await executions.run(ATTACHMENT, { id: 'no-such' })).toEqual({ attachment: null })
})

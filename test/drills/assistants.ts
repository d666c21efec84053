import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify, stripVTControlCharacters } from 'node:util'
import { freePort } from '../../platform/data-dir/free-port.ts'
import { startAssay } from '../support/assay.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client, USERS_ENV } from '../support/e2e/users.ts'
import { eventually } from '../support/eventually.ts'
import { assistantsPage } from '../support/system/assistants-page.ts'
import { launchBrowser, newPage } from '../support/system/browser.ts'
import { startScriptedModel, type Turn } from './scripted-model.ts'

const run = promisify(execFile)

export const ASSISTANTS = 'docs/how-to/use-with-assistants.md'
/** Its vite has an optional package that npm ci misses, so the inspector is none of the project's packages. */
const PACKAGES = ['@modelcontextprotocol/inspector@2.12.0', '@anthropic-ai/claude-code@2.1.332']
const CREDENTIALS = `credentials: ${Buffer.from('ci:secret').toString('base64')}`
/** Keys for the terminal: it connects, then lists the tools. */
const KEYS = [
  ['c', /Tools \([1-9]/],
  ['t', /find_causes/],
] as const

/** A folder in which the clients of the guide are installed, and a home of their own. */
async function install() {
  const folder = await mkdtemp(join(tmpdir(), 'assay-assistants-'))
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...PACKAGES], {
    cwd: folder,
  })
  const env = {
    ...process.env,
    ...{ HOME: folder, PATH: `${folder}/node_modules/.bin:${process.env.PATH}` },
    ...{ MCP_AUTO_OPEN_ENABLED: 'false', MCP_INSPECTOR_SECRET_STORE: 'memory' },
    ...{ ANTHROPIC_API_KEY: 'none', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    ...{ DISABLE_AUTOUPDATER: '1', ENABLE_TOOL_SEARCH: 'false' },
  }
  const type = async (command: string, more: Record<string, string> = {}) => {
    const child = run('bash', ['-c', command], { cwd: folder, env: { ...env, ...more } })
    child.child.stdin?.end()
    return (await child).stdout
  }
  const start = (command: string, more: Record<string, string> = {}) => {
    const options = { cwd: folder, env: { ...env, ...more }, detached: true }
    const child = spawn('bash', ['-c', `exec ${command}`], options)
    // npx starts programs of its own, in the group of it.
    return Object.assign(child, { stop: () => process.kill(-(child.pid ?? Number.NaN), 'SIGTERM') })
  }
  return { type, start, remove: () => rm(folder, { recursive: true }) }
}
type Installed = Awaited<ReturnType<typeof install>>

/** Types the commands of the guide for real clients. @returns what differs from what it says */
export async function followAssistants(): Promise<string[]> {
  const installed = await install()
  const differences: string[] = []
  const check = async (name: string, isTrue: () => Promise<boolean>) => {
    const found = await isTrue().catch((error: Error) => error.message)
    console.log(`  ${name}: ${found === true ? 'yes' : `NO, ${found}`}`)
    if (found !== true) differences.push(`${name}: ${found}`)
  }
  try {
    await withoutWriting(installed, check)
    await withWriting(installed, check)
  } finally {
    await installed.remove()
  }
  return differences
}

type Check = (name: string, isTrue: () => Promise<boolean>) => Promise<void>

async function withoutWriting({ type, start }: Installed, check: Check): Promise<void> {
  const assay = await startAssay({ mode: 'in-process', env: { MCP: 'on' } })
  try {
    const page = assistantsPage(assay.url)
    const suite = await executed(assay.url)
    await check('the inspector calls a tool on the command line', async () =>
      (await type(page.commandWith('--cli'))).includes(suite),
    )
    await check('the inspector shows the tools in a terminal', () =>
      inTerminal(start, page.commandWith('--tui')),
    )
    await check('the inspector calls a tool in a browser', () =>
      inBrowser(start, page.commandWith('--web'), suite),
    )
    const [withoutHeader = ''] = page.commandWith('claude mcp add').split(' --header')
    await type(withoutHeader)
    await check('Claude Code explains why the suite fails, and cannot run it', async () => {
      const { said, tools } = await asked(type, ({ results }) =>
        explaining('find_failures', { contextId: 'finance' }, results, 'run_again'),
      )
      return /0\.45/.test(said) && tools.length > 0 && !tools.includes('mcp__assay__run_again')
    })
    await check('nothing ran', async () => (await resultsOf(assay.url)).length === 1)
    await type('claude mcp remove assay')
  } finally {
    await assay.stop()
  }
}

async function withWriting({ type }: Installed, check: Check): Promise<void> {
  const env = { ...USERS_ENV, MCP: 'on', MCP_WRITE: 'on' }
  const assay = await startAssay({ mode: 'in-process', env })
  try {
    const admin = basic(ADMIN, ADMIN_PASSWORD)
    const { reading, writing } = assistantsPage(assay.url).scopes
    const { secret } = await new Client(assay.url).token(admin, [...reading, ...writing])
    const suite = await executed(assay.url, admin)
    const add = assistantsPage(assay.url, secret).commandWith('claude mcp add')
    await type(`${add} --header "${CREDENTIALS}"`)
    await check('Claude Code with a token runs the suite again', async () => {
      const { said } = await asked(type, ({ results }) =>
        explaining('find_failures', { contextId: 'finance' }, results, 'run_again'),
      )
      const again = (await resultsOf(assay.url, admin)).filter(({ id }) => id !== suite)
      return /0\.45/.test(said) && again.length === 1 && said.includes(again[0]?.id ?? 'none')
    })
  } finally {
    await assay.stop()
  }
}

/** Turns of a model that looks for failures, explains the first one and its first bad test, then runs it again. */
function explaining(find: string, given: object, results: readonly string[], again: string): Turn {
  const tool = (name: string, input: object) => ({ name: `mcp__assay__${name}`, input })
  const [found, suite, test, run] = results
  if (found === undefined) return tool(find, given)
  const { id } = JSON.parse(found).data.executionResults.nodes[0]
  if (suite === undefined) return tool('explain_failure', { id })
  const { testCaseResults } = JSON.parse(suite).data.executionResult
  if (test === undefined)
    return tool('explain_failure', {
      id: testCaseResults.find(({ state }: { state: string }) => state === 'FAILED').id,
    })
  if (run === undefined) return tool(again, { id, only: 'ALL' })
  return `It fails because: ${test}\nThen: ${run}`
}

async function asked(
  type: Installed['type'],
  next: Parameters<typeof startScriptedModel>[0],
): Promise<{ said: string; tools: string[] }> {
  const tools = new Set<string>()
  const model = await startScriptedModel((given) => {
    for (const name of given.tools) tools.add(name)
    return next(given)
  })
  try {
    const question = 'Why does the suite Finance fail? Mend it.'
    const command = `claude -p "${question}" --allowedTools mcp__assay`
    const said = await type(command, { ANTHROPIC_BASE_URL: model.url })
    return { said, tools: [...tools].filter((name) => name.startsWith('mcp__')) }
  } finally {
    model.stop()
  }
}

async function inTerminal(start: Installed['start'], command: string): Promise<boolean> {
  // A terminal of its own, as wide as the program needs.
  const terminal = start(`script -qefc "stty cols 160 rows 45; ${command}" /dev/null`, {
    TERM: 'xterm-256color',
  })
  let shown = ''
  terminal.stdout.on('data', (data: Buffer) => {
    shown += stripVTControlCharacters(data.toString())
  })
  const shows = (pattern: RegExp, key = '') =>
    eventually(async () => {
      if (pattern.test(shown)) return
      terminal.stdin.write(key)
      await delay(1_000) // it takes keys only once it has drawn
      throw new Error(`The terminal does not show ${pattern}: ${shown.slice(-2_000)}`)
    })
  try {
    await shows(/disconnected/)
    for (const [key, pattern] of KEYS) await shows(pattern, key)
    return true
  } finally {
    terminal.stop()
  }
}

async function inBrowser(start: Installed['start'], command: string, expected: string) {
  const server = start(command, { CLIENT_PORT: String(await freePort()) })
  let shown = ''
  server.stdout.on('data', (data: Buffer) => {
    shown += data
  })
  const browser = await launchBrowser()
  try {
    const url = await eventually(async () => {
      const [found] = /http:\S+API_TOKEN=\w+/.exec(shown) ?? []
      if (!found) throw new Error(`The inspector names no address: ${shown}`)
      return found
    })
    const page = await newPage(browser)
    await page.goto(url)
    await page.getByRole('switch', { name: /^Connect/ }).click({ force: true })
    await page.getByText('Tools', { exact: true }).first().click()
    await page.getByText('find_failures', { exact: true }).first().click()
    await page.getByRole('button', { name: 'Execute Tool' }).click()
    await page.getByText(expected).first().waitFor()
    return true
  } finally {
    await browser.close()
    server.stop()
  }
}

/** Executes the suite of the examples. @returns the id of its result */
async function executed(url: string, headers: Record<string, string> = {}): Promise<string> {
  const [name = '', value = ''] = CREDENTIALS.split(': ')
  const options = { method: 'POST', headers: { ...headers, [name]: value } }
  const response = await fetch(`${url}/api/suite/finance/execute?synchron=true`, options)
  return ((await response.json()) as { id: string }).id
}

async function resultsOf(url: string, headers: Record<string, string> = {}) {
  const query = '{ executionResults(filter: { type: SUITE }) { nodes { id } } }'
  const { executionResults } = await new Client(url).run(query, headers)
  return executionResults.nodes as { id: string }[]
}

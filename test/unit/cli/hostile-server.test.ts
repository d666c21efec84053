import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen, OWN, RUNNING, releases, start } from '../../support/cli/command.ts'

/** Holds the folder that the command starts in, and nothing beside it. */
let around: string
let cwd: string
beforeEach(() => {
  around = mkdtempSync(join(tmpdir(), 'assay-hostile-'))
  cwd = join(around, 'work')
  mkdirSync(cwd)
  releases.push(() => rmSync(around, { recursive: true }))
})

/** @param known answers by path; text as it is. Other lists are empty, whatever kinds there are */
const serveKnown = (known: Readonly<Record<string, unknown>>) =>
  listen(({ url = '' }, response) => {
    const path = new URL(url, 'http://x').pathname.replace('/api', '')
    const body = known[path] ?? (/^\/[a-z]+$/.test(path) ? [] : undefined)
    response.writeHead(body === undefined ? 404 : 200, OWN)
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}))
  })

const refused = async (args: readonly string[], url: string) => {
  const { stderr, code } = start(args, url, undefined, { cwd })
  const said = await stderr
  return { said, code: await code }
}

const component = (id: unknown) => ({ id, name: 'n', language: 'JAVASCRIPT', sourceCode: 'x' })

describe('export', () => {
  test.each(['../../evil', '/etc/evil', '..', '', 'a/b', 'a\\b', 'a\0', null, 7])(
    'refuses the id %j of a server and writes nothing',
    async (id) => {
      const url = await serveKnown({ '/component': [component('good'), component(id)] })
      const { said, code } = await refused(['export', 'out', '--force'], url)
      expect(said).toContain('A component of the server has the id')
      expect(said).toContain('cannot be the name of a file')
      expect(code).toBe(4)
      expect(readdirSync(around, { recursive: true })).toEqual(['work'])
    },
  )

  test.each([
    ['a.js', [], join('..', '..', 'made')],
    ['a.js', ['--force'], join('..', '..', 'made')],
    ['a.js', ['--force'], join('..', '..', 'kept')],
    ['a.component.yaml', [], join('..', '..', 'kept')],
    ['a.component.json', ['--force'], join('..', '..', 'made')],
  ])('follows no link %s, with %j to %s', async (name, options, target) => {
    writeFileSync(join(around, 'kept'), 'kept')
    mkdirSync(join(cwd, 'out'))
    symlinkSync(target, join(cwd, 'out', name))
    const url = await serveKnown({ '/component': [component('a')] })
    const { said, code } = await refused(['export', 'out', ...options], url)
    expect(said).toContain(`${join('out', name)} is a link; nothing was written`)
    expect(code).toBe(2)
    expect(readdirSync(around).sort()).toEqual(['kept', 'work'])
    expect(readFileSync(join(around, 'kept'), 'utf8')).toBe('kept')
    expect(readdirSync(join(cwd, 'out'))).toEqual([name])
  })

  test('writes into a folder that is named by a link', async () => {
    mkdirSync(join(around, 'real'))
    symlinkSync(join('..', 'real'), join(cwd, 'out'))
    const url = await serveKnown({ '/component': [component('a')] })
    expect(await refused(['export', 'out'], url)).toEqual({ said: '', code: 0 })
    expect(readdirSync(join(around, 'real')).sort()).toEqual(['a.component.yaml', 'a.js'])
  })
})

/** Runs a stored scenario at a server that sends these ids. */
async function download(
  { id = RUNNING.id, contextId = 'a', file = 'f' },
  options: readonly string[] = ['--attachments', 'out'],
) {
  const result = { ...RUNNING, type: 'TEST', state: 'COMPLETED', contextId, id }
  const url = await serveKnown({
    '/graphql': { data: { executionResult: null } },
    '/noauth/execute/a': result,
    [`/result/${id}`]: result,
    [`/result/${id}/details`]: { report: '<xa/>', codeCoverage: [] },
    [`/result/${id}/attachments`]: [{ id: file, name: 'x.txt' }],
    [`/attachments/${file}`]: 'evil',
  })
  return refused(['run', 'a', ...options], url)
}

describe('downloads', () => {
  test.each(['../..', '/tmp/x', '', '..', '../../evil'])(
    'refuse the id %j of an attachment',
    async (file) => {
      const { said, code } = await download({ file })
      expect(said).toContain('An attachment of')
      expect(said).toContain('cannot be the name of a file')
      expect(code).toBe(4)
      expect(readdirSync(around, { recursive: true })).toEqual(['work'])
    },
  )

  test('refuse what ran under a name that leads out of the folder of XA reports', async () => {
    const { said, code } = await download({ contextId: '../../evil' }, ['--xa', 'out'])
    expect(said).toContain('What ran has the id "../../evil"')
    expect(code).toBe(4)
    expect(readdirSync(around, { recursive: true })).toEqual(['work'])
  })

  test.each(['file', 'folder'])('follow no link of a %s', async (kind) => {
    mkdirSync(join(cwd, 'out'))
    if (kind === 'folder') symlinkSync('../..', join(cwd, 'out', 'f'))
    else {
      mkdirSync(join(cwd, 'out', 'f'))
      symlinkSync('../../../made', join(cwd, 'out', 'f', 'x.txt'))
    }
    const { said, code } = await download({})
    expect(said).toContain(kind === 'file' ? 'is a link' : 'leads out of out')
    expect(code).toBe(2)
    expect(readdirSync(around)).toEqual(['work'])
  })

  test('take the place of files that were there', async () => {
    mkdirSync(join(cwd, 'out', 'f'), { recursive: true })
    writeFileSync(join(cwd, 'out', 'f', 'x.txt'), 'before')
    expect((await download({})).code).toBe(0)
    expect(readdirSync(join(cwd, 'out', 'f'))).toEqual(['x.txt'])
    expect(readFileSync(join(cwd, 'out', 'f', 'x.txt'), 'utf8')).toBe('evil')
  })
})

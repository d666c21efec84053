import { join } from 'node:path'
import type { Command } from '../command.ts'
import { artifactText } from '../folder/artifact-text.ts'
import { SCHEMA_PATH } from '../folder/schema-path.ts'
import { writeFiles } from '../folder/write-files.ts'
import { type FormerArtifact, formerArtifacts, signIn } from '../import/former-server.ts'
import { PROGRAM } from '../program.ts'

/** Ids that artifacts may have. */
const ID = /^(?!count$|result$|\.{1,2}$)[A-Za-z0-9._~:-]{1,255}$/

/** Fails until its steps are written, and breaks no suite. */
const UNWRITTEN = {
  quarantine: true,
  scenario: { steps: [{ id: 'to-be-written', http: { url: '/to-be-written' } }] },
}

export const importRepository: Command = {
  name: 'import repository',
  args: '<URL> [folder]',
  count: [1, 2],
  does: 'write scenarios and suites of another server as files, for steps to be written',
  details: [
    'It reads GET /testcase and GET /suite below the URL, page by page. The contract names id,',
    'name and description alone: these are kept, and the scenarios of suites. Each definition is',
    'saved beside its file as <id>.<kind>.former.json; a scenario fails until its steps are written.',
    'ASSAY_FORMER_LOGIN is <name>:<password> at that server. The folder is scenarios if absent.',
  ],
  async run({ args: [root = '', folder = 'scenarios'], client, env, signal, terminal }) {
    const server = { root, login: env.ASSAY_FORMER_LOGIN, signal }
    const token = await signIn(server)
    const testCases = await formerArtifacts(server, 'testcase', token)
    const suites = await formerArtifacts(server, 'suite', token)
    const known = new Set(testCases.map(({ id }) => id).filter((id) => ID.test(id)))
    const schema = client.at(SCHEMA_PATH)
    const files: Record<string, string> = {}
    const add = (kind: string, former: FormerArtifact, more: object) => {
      const { id, name, description } = former
      if (!ID.test(id)) {
        terminal.note(
          `${kind} ${id} is left out: its id has signs other than A-Z a-z 0-9 . _ ~ : -`,
        )
        return
      }
      const own = {
        kind,
        ...(typeof name === 'string' && name !== '' && name !== id && { name }),
        ...(typeof description === 'string' && description !== '' && { description }),
      }
      files[`${id}.${kind}.yaml`] = artifactText({ ...own, ...more }, schema)
      const definition = `${JSON.stringify(former, null, 2)}\n`
      files[`${id}.${kind}.former.json`] = definition
    }
    for (const each of testCases) add('testcase', each, UNWRITTEN)
    for (const each of suites) add('suite', each, { testCases: membersOf(each, known) })
    await writeFiles(folder, files, 'Name another folder')
    terminal.json({ files: Object.keys(files).map((name) => join(folder, name)) })
    const written = (kind: string) =>
      Object.keys(files).filter((name) => name.endsWith(`.${kind}.yaml`)).length
    terminal.line(
      `${written('testcase')} scenarios and ${written('suite')} suites are in ${folder}`,
    )
    terminal.line(`Write their steps, then: ${PROGRAM} validate ${folder}`)
  },
}

/** The first list of a suite that names scenarios, by id or as objects with one; which field it is, each server decides. */
function membersOf(suite: FormerArtifact, known: ReadonlySet<string>): string[] {
  for (const value of Object.values(suite)) {
    if (!Array.isArray(value) || value.length === 0) continue
    const ids = value.map((each: unknown) =>
      typeof each === 'object' && each !== null && 'id' in each ? each.id : each,
    )
    if (ids.every((id) => typeof id === 'string' && known.has(id))) return ids as string[]
  }
  return []
}

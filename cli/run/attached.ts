import { join } from 'node:path'
import { attachmentFileName } from '../../formats/attachment-name.ts'
import { xmlText } from '../../formats/xml-text.ts'
import type { Client } from '../client.ts'
import { CommandError, EXIT } from '../exit-codes.ts'
import { idForPath, writeBelow } from '../folder/write-files.ts'
import { exchangesOf, exchangeText, type StepExchange } from './exchanges.ts'
import { type Result, scenariosOf } from './result.ts'

/** The requests of the scenarios that did not succeed, by the id of their result. */
export type Exchanges = ReadonlyMap<string, readonly StepExchange[]>

/** Scenarios whose requests reports show. */
const MAX_SCENARIOS = 200
/** Characters of a request and its response in a JUnit report. */
const MAX_TEXT = 8_192

export async function readExchanges(result: Result, client: Client): Promise<Exchanges> {
  const bad = scenariosOf(result).filter(({ state }) => state !== 'COMPLETED')
  const found = new Map<string, readonly StepExchange[]>()
  for (const each of bad.slice(0, MAX_SCENARIOS))
    found.set(idForPath(each.id, 'A result of the server'), await exchangesOf(each, client))
  return found
}

/** Downloads what steps attached, and writes each request with its response into a file. */
export async function downloadFiles(
  result: Result,
  folder: string,
  exchanges: Exchanges,
  client: Client,
): Promise<void> {
  for (const { id: given } of scenariosOf(result)) {
    const id = idForPath(given, 'A result of the server')
    if (id.includes('~')) continue // a test that a tool reported has the files of its scenario
    const files = await client.rest<{ id: string; name: string }[]>(
      'GET',
      `/result/${id}/attachments`,
    )
    for (const file of files) {
      const own = idForPath(file.id, `An attachment of ${id}`)
      const content = await client.bytes(`/attachments/${own}`)
      await writeBelow(folder, join(own, attachmentFileName(file.name)), content, true)
    }
  }
  for (const [id, all] of exchanges)
    for (const each of all) await writeBelow(folder, nameOf(id, each), exchangeText(each), true)
}

/** Markup and references that Assay writes into no report, and that could hide the name of a file. */
const FOREIGN_XML =
  /<!|<\?(?!xml )|&(?!(?:lt|gt|amp|quot|#xD|#xA|#x9);)|<system-(?:out|err)(?!\/>)[^<]*<(?!\/)/

/** Build servers publish any file that stands in such a line, and read up to its last brackets. */
const NAMED = /\n?\[\[ATTACHMENT\|([^<\n]*)(?=(\n|<\/system-out>)?)/g
const BELOW = /^attachments\/(?!.*(?:^|[\\/])\.\.(?:[\\/\]]|$))([^\]]*)\]\]$/

/**
 * A JUnit report with what it names below `attachments` where it was downloaded to, and with the requests of scenarios that
 * did not succeed.
 * @throws CommandError for a report that is none of Assay
 */
export function withEvidence(report: string, exchanges: Exchanges, folder?: string): string {
  if (FOREIGN_XML.test(report))
    throw new CommandError(
      EXIT.refused,
      'The JUnit report of the server has markup that Assay writes nowhere, so it is not kept. Is ASSAY_URL an Assay?',
    )
  const moved = report.replace(NAMED, (line, named: string, end?: string) => {
    const [, path] = BELOW.exec(named) ?? []
    if (path === undefined || end === undefined) return plain(line)
    return folder === undefined ? '' : `\n[[ATTACHMENT|${xmlText(folder)}/${path}]]`
  })
  return [...exchanges].reduce((text, [id, all]) => withExchanges(text, id, all, folder), moved)
}

function withExchanges(
  report: string,
  id: string,
  all: readonly StepExchange[],
  folder: string | undefined,
): string {
  const added = all.flatMap((each) => [
    xmlText(plain(`\nStep ${each.step}:\n${exchangeText(each).slice(0, MAX_TEXT)}`)),
    ...(folder === undefined ? [] : [`[[ATTACHMENT|${xmlText(join(folder, nameOf(id, each)))}]]`]),
  ])
  if (added.length === 0) return report
  // The output of the first case behind the id of the result, which is the one of its scenario.
  const output = new RegExp(`(value="${id}"/>(?:(?!</testcase>)[^])*?)</system-out>`)
  return report.replace(output, (_, before) => `${before}\n${added.join('\n')}</system-out>`)
}

const nameOf = (id: string, { step }: StepExchange): string =>
  join(id, `${step.replace(/[^A-Za-z0-9._-]/g, '_')}.http`)

/** A body may hold what build servers take for the name of a file to publish. */
const plain = (text: string): string => text.replaceAll('[[ATTACHMENT|', '[ [ATTACHMENT|')

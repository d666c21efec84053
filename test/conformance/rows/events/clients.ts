import {
  buildServer,
  bulkImporter,
  type Client,
  checkHandler,
  commandLine,
  configurationManagement,
} from '../../../_fixtures/events/clients.ts'
import { post, read } from '../../events.ts'
import { inSection } from '../../row.ts'

/** Posts what the client posts and asserts every answer whole, and that all its events share one id. */
async function replay({ headers, steps }: Client): Promise<void> {
  const ids = new Set<string>()
  for (const { body, status, verdicts, stored } of steps) {
    const answer = await post(body, headers)
    const errors = verdicts.flatMap((message, index) =>
      message === 'accepted' ? [] : [{ index, message }],
    )
    const accepted = verdicts.flatMap((verdict, index) =>
      verdict === 'accepted' ? [{ index, id: expect.stringMatching(/\S/) }] : [],
    )
    expect({ status: answer.status, body: answer.body }).toEqual({
      status,
      body: {
        result: {
          sent: accepted.length,
          success: errors.length === 0 ? 'true' : accepted.length ? 'partial' : 'false',
          ...(accepted.length && { accepted }),
          ...(errors.length && { errors }),
        },
      },
    })
    const id = answer.body.result.accepted?.[0]?.id ?? ''
    ids.add(id)
    if (stored) expect((await read(id)).body).toMatchObject({ id, ...stored })
  }
  expect(ids.size).toBe(1)
}

export const clients = inSection('EV', 'Endpoints', [
  {
    id: 'EV-74',
    rule: 'A command line that writes severity in lower case and never a status MUST be served.',
    check: () => replay(commandLine),
  },
  {
    id: 'EV-75',
    rule: 'An importer that sends arrays and decodes answers strictly MUST be served.',
    check: () => replay(bulkImporter),
  },
  {
    id: 'EV-76',
    rule: 'A build server that forms the fingerprint by a property with a blank in its name MUST be served.',
    check: () => replay(buildServer),
  },
  {
    id: 'EV-77',
    rule: 'A check handler that sends its own words as severity MUST be served.',
    check: () => replay(checkHandler),
  },
  {
    id: 'EV-78',
    rule: 'A configuration run that fails and later succeeds MUST be one event that opens and closes.',
    check: () => replay(configurationManagement),
  },
])

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../formats/errors.ts'
import { isObject } from '../../formats/is-object.ts'
import { readCurl } from '../../formats/requests/curl.ts'
import { idOf, type RequestStep } from '../../formats/requests/http-request.ts'
import { readOpenapi } from '../../formats/requests/openapi.ts'
import { parseYaml } from '../../formats/yaml.ts'
import { type Command, type Context, textOf } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { artifactText } from '../folder/artifact-text.ts'
import { SCHEMA_PATH } from '../folder/schema-path.ts'
import { writeFiles } from '../folder/write-files.ts'
import { PROGRAM } from '../program.ts'
import { readText } from '../text-file.ts'

const OPTIONS = {
  name: { value: 'TEXT', does: 'name of the scenario' },
  'base-url': { value: 'URL', does: 'address of the environment, in place of the one found' },
} as const

export const importCurl: Command = {
  name: 'import curl',
  args: '<file | -> [folder]',
  count: [1, 2],
  does: 'write a command line of curl as a scenario with an http step',
  details: [
    'Headers and parameters that hold a secret become secrets of the environment, whose values are',
    'read from variables of the same names. A user with a password becomes the host credentials.',
    'The folder is scenarios if absent. An environment of the same address that is there stays.',
  ],
  options: OPTIONS,
  async run(context) {
    const { args, options, signal, terminal } = context
    const { step, secrets, origin, signsIn } = readable(
      readCurl,
      await readText(args[0] ?? '', signal),
    )
    const name = textOf(options, 'name') ?? step.id
    await write(context, name, origin, [{ step, secrets }])
    if (signsIn) terminal.note('It signs in: set ASSAY_CREDENTIALS to <USER_ID>:<PASSWORD>')
  },
}

export const importOpenapi: Command = {
  name: 'import openapi',
  args: '<file | -> [folder]',
  count: [1, 2],
  does: 'write the operations of an OpenAPI document as a scenario with http steps',
  details: [
    'Reads OpenAPI 3 as YAML or JSON. Each operation is a step, with the examples of the document or',
    'values that its schemas allow, and expects the first good status that it names. The folder is',
    'scenarios if absent. An environment of the same address that is there stays.',
  ],
  options: OPTIONS,
  async run(context) {
    const { args, options, signal } = context
    const { title, baseUrl, steps } = readable(readOpenapi, await readText(args[0] ?? '', signal))
    await write(context, textOf(options, 'name') ?? title, baseUrl, steps)
  },
}

/** @throws CommandError for a text that is none */
function readable<Read>(read: (text: string) => Read, text: string): Read {
  try {
    return read(text)
  } catch (error) {
    throw error instanceof AppError ? usageError(error.message) : error
  }
}

/** Writes a scenario and its environment, each into a file of its own. @throws CommandError */
async function write(
  { args: [, folder = 'scenarios'], client, options, terminal }: Context,
  name: string,
  found: string | null,
  steps: readonly RequestStep[],
): Promise<void> {
  const baseUrl = textOf(options, 'base-url') ?? found
  if (baseUrl === null)
    throw usageError('The document names no server with http:// or https://: add --base-url URL')
  const environment = idOf(URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl)
  const secrets = [...new Set(steps.flatMap((each) => each.secrets))]
  const schema = client.at(SCHEMA_PATH)
  const place = `${environment}.environment.yaml`
  const known = await secretsOf(join(folder, place), baseUrl)
  const files = {
    ...(known === null && {
      [place]: artifactText(
        {
          ...{ kind: 'environment', name: environment, baseUrl },
          ...(secrets.length > 0 && {
            secrets: secrets.map((secret) => ({ name: secret, fromEnv: secret })),
          }),
        },
        schema,
      ),
    }),
    [`${idOf(name)}.testcase.yaml`]: artifactText(
      {
        ...{ kind: 'testcase', name, environment },
        scenario: { steps: steps.map(({ step }) => step) },
      },
      schema,
    ),
  }
  await writeFiles(folder, files, 'Name another folder')
  const paths = Object.keys(files).map((file) => join(folder, file))
  terminal.json({ files: paths })
  for (const path of paths) terminal.line(path)
  if (secrets.length > 0) terminal.note(`Set ${secrets.join(', ')}: the files hold no secret`)
  const lacking = known === null ? [] : secrets.filter((secret) => !known.includes(secret))
  if (lacking.length > 0)
    terminal.note(`Add ${lacking.join(', ')} to the secrets of ${join(folder, place)}`)
  terminal.line()
  terminal.line(`Run it: ${PROGRAM} run ${folder}`)
}

/**
 * Names of the secrets of an environment that an earlier import wrote for the same address; null where none is there.
 * @throws CommandError for a file that is no YAML
 */
async function secretsOf(path: string, baseUrl: string): Promise<string[] | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  const environment = text === null ? null : readable((given) => parseYaml(given, path), text)
  if (!isObject(environment) || environment.baseUrl !== baseUrl) return null
  const { secrets } = environment
  return Array.isArray(secrets) ? secrets.filter(isObject).map(({ name }) => String(name)) : []
}

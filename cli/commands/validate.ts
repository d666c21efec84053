import { type Command, textOf } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import {
  artifactsOf,
  checkExist,
  FILE_OPTIONS,
  FileFaults,
  noArtifact,
  readFiles,
} from '../folder/files.ts'
import type { Fault } from '../json.ts'

interface Validation {
  isValid: boolean
  faults: { artifact: string; message: string }[]
  /** Absent from a server of an earlier version. */
  warnings?: { artifact: string; message: string }[]
}

export const validate: Command = {
  name: 'validate',
  args: '<file or folder or -…>',
  count: [1, Number.POSITIVE_INFINITY],
  does: 'find what is wrong with artifact files; stores and runs nothing',
  details: [
    'It checks the form of every file, what artifacts name, functions that components do',
    'not export, and names in templates that the environment, the rows of the dataset or',
    'earlier steps do not have. Standard input (-) holds an artifact, or a list, with kind and id.',
  ],
  options: {
    env: { value: 'ID', does: 'environment that scenarios are to run in, instead of their own' },
    ...FILE_OPTIONS,
  },
  async run({ args, client, env, options, signal, terminal }) {
    checkExist(args)
    const faults: Fault[] = []
    const warnings: Fault[] = []
    const files = await readFiles(args, { env, options, signal }).catch((error: unknown) => {
      if (!(error instanceof FileFaults)) throw error
      faults.push(...error.faults.map((message) => ({ file: null, artifact: null, message })))
      return []
    })
    if (faults.length === 0) {
      if (files.length === 0) throw noArtifact(args[0] ?? '.')
      const body = { artifacts: artifactsOf(files), environmentId: textOf(options, 'env') ?? null }
      const found = await client.rest<Validation>('POST', '/validate', {
        body,
        isRepeatable: true,
      })
      const placed = ({ artifact, message }: Omit<Fault, 'file'>) => {
        const file = files.find(({ artifact: { kind, id } }) => `${kind} ${id}` === artifact)
        return { file: file?.file ?? null, artifact, message }
      }
      faults.push(...found.faults.map(placed))
      warnings.push(...(found.warnings ?? []).map(placed))
    }
    terminal.json({ isValid: faults.length === 0, files: files.length, faults, warnings })
    const lineOf = ({ file, artifact, message }: Fault) =>
      `${file ?? artifact ?? ''}${file || artifact ? ': ' : ''}${message}`
    for (const each of warnings) terminal.note(`Warning: ${lineOf(each)}`)
    for (const each of faults) terminal.line(lineOf(each))
    if (faults.length === 0) terminal.line(`${files.length} artifacts are valid`)
    return faults.length === 0 ? EXIT.ok : EXIT.failed
  },
}

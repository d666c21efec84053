import { parse } from 'yaml'
import { artifactText } from '../../../cli/folder/artifact-text.ts'
import { parseYaml } from '../../../formats/yaml.ts'
import { NUMBERS, TEXTS } from '../../support/yaml-words.ts'

const artifact = {
  ...{
    id: 'words',
    list: TEXTS,
    numbers: NUMBERS,
    flow: { a: { on: 'yes', y: 'no', t: '12:30' } },
  },
  keys: Object.fromEntries(TEXTS.map((text, at) => [text, at])),
}
const text = artifactText(artifact, 'https://example.test/schema')

test('texts and numbers of a written file are the same to readers of YAML 1.2', () => {
  expect(parseYaml(text, 'The file')).toEqual(artifact)
})

test('texts and numbers of a written file are the same to readers of YAML 1.1', () => {
  expect(parse(text, { version: '1.1' })).toEqual(artifact)
})

test('plain words stay without quotation marks', () => {
  expect(artifactText({ name: 'Loan schedule', count: 12, rate: 0.5 }, 's')).toBe(
    '# yaml-language-server: $schema=s\nname: Loan schedule\ncount: 12\nrate: 0.5\n',
  )
})

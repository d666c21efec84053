import { execFileSync } from 'node:child_process'
import { artifactText } from '../../cli/folder/artifact-text.ts'
import { NUMBERS, TEXTS } from '../support/yaml-words.ts'

/** PyYAML reads YAML 1.1, and answers with JSON here. */
const READ = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin.buffer)))'

test('PyYAML reads texts and numbers of a written file as they are', () => {
  const artifact = {
    ...{
      id: 'words',
      list: TEXTS,
      numbers: NUMBERS,
      flow: { a: { on: 'yes', y: 'no', t: '12:30' } },
    },
    keys: Object.fromEntries(TEXTS.map((text, at) => [text, at])),
  }
  const read = execFileSync('/usr/bin/python3', ['-c', READ], {
    input: artifactText(artifact, 's'),
  })
  expect(JSON.parse(read.toString())).toEqual(artifact)
})

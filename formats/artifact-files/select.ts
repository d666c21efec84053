import { isObject } from '../is-object.ts'
import type { FileArtifact } from './file-artifact.ts'

const SELECT_KEYS = ['tags', 'skipTags']

/** As the JSON Schema of artifact files has it: what is wrong would select other scenarios than meant, or none. */
export function checkSelect({ select }: FileArtifact): void {
  if (select === undefined) return
  const example = 'such as { tags: [ smoke ], skipTags: [ slow ] }'
  if (!isObject(select)) throw new Error(`select: expected an object, ${example}`)
  const unknown = Object.keys(select).filter((key) => !SELECT_KEYS.includes(key))
  if (unknown.length > 0)
    throw new Error(
      `select: unknown key ${unknown.join(', ')}: expected tags and skipTags, ${example}`,
    )
  const { tags, skipTags = [] } = select
  if (!isTexts(tags) || tags.length === 0)
    throw new Error('select.tags: expected a list of at least one tag, such as [ smoke ]')
  if (!isTexts(skipTags))
    throw new Error('select.skipTags: expected a list of tags, such as [ slow ]')
}

/** Suites that select by tag get the scenarios of the same call that have one of the tags, and none of `skipTags`. */
export function selectMembers(artifacts: FileArtifact[]): void {
  const testCases = artifacts.filter(({ kind }) => kind === 'testcase')
  for (const suite of artifacts) {
    if (suite.kind !== 'suite' || !isObject(suite.select)) continue
    const wanted = textsOf(suite.select.tags)
    const unwanted = textsOf(suite.select.skipTags)
    const listed = suite.testCases ?? []
    delete suite.select
    if (!Array.isArray(listed)) continue // for Assay to refuse
    const tagged = testCases
      .filter(({ tags }) => textsOf(tags).some((tag) => wanted.includes(tag)))
      .filter(({ tags }) => !textsOf(tags).some((tag) => unwanted.includes(tag)))
      .map(({ id }) => id)
      .sort()
    suite.testCases = [...new Set([...listed, ...tagged])]
  }
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

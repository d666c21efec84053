/** What the REST interface knows of a kind of artifact. */
export interface ArtifactResource {
  /** Resource name in paths. */
  name: string
  /** Name of the GraphQL type. */
  typeName: string
  /** GraphQL fields of what only this kind has. */
  fields: string
  /** Attributes that hold the id of another artifact, or a list of ids; GraphQL shows the artifact itself. */
  references: readonly string[]
}

export const ARTIFACT_RESOURCES: readonly ArtifactResource[] = [
  {
    name: 'component',
    typeName: 'Component',
    fields: 'language sourceCode environment { id }',
    references: ['environment'],
  },
  {
    name: 'testcase',
    typeName: 'TestCase',
    fields: `componentUnderTest { id } environment { id } tags scenario useCodeCoverage
      allowExecuteWithoutCredentials`,
    references: ['componentUnderTest', 'environment'],
  },
  {
    name: 'suite',
    typeName: 'Suite',
    fields: 'testCases { id } haltAtFailure maxParallel',
    references: ['testCases'],
  },
  {
    name: 'environment',
    typeName: 'Environment',
    fields: 'baseUrl variables secrets { name } allowedHosts runners',
    references: [],
  },
]

import { Document, isCollection, isMap, isScalar, visit } from 'yaml'
import { MAX_YAML_LENGTH } from '../../schema/yaml.ts'

/** Collections that fit into this many characters stand in one line. */
const FLOW_LENGTH = 90

/** Name and text of the file of an artifact: YAML, or JSON where that is too long to be read. */
export function artifactFile(stem: string, artifact: object, schema: string): [string, string] {
  const text = artifactText(artifact, schema)
  if (text.length <= MAX_YAML_LENGTH) return [`${stem}.yaml`, text]
  return [`${stem}.json`, `${JSON.stringify({ $schema: schema, ...artifact }, null, 2)}\n`]
}

/** An artifact as the text of its file. @param schema address of the JSON Schema, for editors */
export function artifactText(artifact: object, schema: string): string {
  const document = new Document(artifact)
  visit(document, {
    Collection(_, node, path) {
      if (path.length <= 2) return // the artifact itself and its attributes
      const isShort = JSON.stringify(node.toJSON()).length <= FLOW_LENGTH
      const isFlat = node.items.every((item) => isLeaf(isMap(node) ? heldBy(item) : item))
      if (isShort && (isFlat || path.length > 6)) node.flow = true
    },
  })
  const text = document.toString({ lineWidth: 100, flowCollectionPadding: true })
  return `# yaml-language-server: $schema=${schema}\n${text}`
}

const heldBy = (pair: unknown): unknown => (pair as { value?: unknown }).value

const isLeaf = (node: unknown): boolean =>
  isScalar(node) || (isCollection(node) && node.flow === true)

import { Document, isCollection, isMap, isScalar, type ScalarTag, visit } from 'yaml'
import { MAX_YAML_LENGTH } from '../../formats/yaml.ts'

/** Collections that fit into this many characters stand in one line. */
const FLOW_LENGTH = 90

/** Name and text of the file of an artifact: YAML, or JSON where that is too long to be read. */
export function artifactFile(stem: string, artifact: object, schema: string): [string, string] {
  const text = artifactText(artifact, schema)
  if (text.length <= MAX_YAML_LENGTH) return [`${stem}.yaml`, text]
  return [`${stem}.json`, `${JSON.stringify({ $schema: schema, ...artifact }, null, 2)}\n`]
}

/** Characters that some readers take for ends of lines, or refuse: YAML 1.1 and 1.2 alike take their numbers. */
const NAMED_BY_NUMBER = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g
/** Texts that mean something else to a reader of YAML 1.1 and stay plain in 1.2; the library quotes all others. */
const QUOTED = /^(=|<<)$|[\t\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/u

/** A number with an exponent is one in YAML 1.1 only where it has a point as well. */
const EXPONENT: ScalarTag = {
  ...{ tag: 'tag:yaml.org,2002:float', default: true },
  identify: (value) => typeof value === 'number' && /\de/.test(String(value)),
  // Only kinds with a test are asked for numbers; this one reads none.
  test: /(?!)/,
  resolve: Number,
  stringify: ({ value }) => String(value).replace(/^(-?\d+)e/, '$1.0e'),
}

/** An artifact as the text of its file, which readers of YAML 1.1 and 1.2 take for the same. @param schema address of the JSON Schema, for editors */
export function artifactText(artifact: object, schema: string): string {
  const document = new Document(artifact, {
    compat: 'yaml-1.1',
    customTags: (tags) => [EXPONENT, ...tags],
  })
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && QUOTED.test(node.value)) node.type = 'QUOTE_DOUBLE'
    },
    Collection(_, node, path) {
      if (path.length <= 2) return // the artifact itself and its attributes
      const isShort = JSON.stringify(node.toJSON()).length <= FLOW_LENGTH
      const isFlat = node.items.every((item) => isLeaf(isMap(node) ? heldBy(item) : item))
      if (isShort && (isFlat || path.length > 6)) node.flow = true
    },
  })
  const text = document.toString({ lineWidth: 100, flowCollectionPadding: true })
  const plain = text.replace(
    NAMED_BY_NUMBER,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `# yaml-language-server: $schema=${schema}\n${plain}`
}

const heldBy = (pair: unknown): unknown => (pair as { value?: unknown }).value

const isLeaf = (node: unknown): boolean =>
  isScalar(node) || (isCollection(node) && node.flow === true)

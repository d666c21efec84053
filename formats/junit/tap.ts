/** Fields of a diagnostic with places in files, which change with what stands before a test. */
const PLACES = /^(at|source|stack|lineNumber|columnNumber|fileName)$/
/** A place alone, as a stack without what was thrown has it. */
const FRAME = /:\d+(:\d+)?\)?$/
/** Words of AVA for a test that threw; what it threw is a detail. */
const SAYS_LITTLE = /^(Error thrown in test|Rejected promise returned by test)$/
/** Marks around a diagnostic that converters keep. */
const MARK = /^\s*(---|\.\.\.)\s*$/

/**
 * Words of a diagnostic of TAP: its message; else its details; else what it holds beside places. Null where the text is
 * none: it begins with `---`, or has a place as node-tap and tap-junit write it.
 */
export function saidInTap(text: string): string | null {
  if (!/^\s*---\n/.test(text) && !/^at:(\n {2}fileName: |.*:\d+:\d+\)?$)/m.test(text)) return null
  const fields = fieldsIn(text)
  const message = textOf(fields, 'message')
  if (message !== '' && !SAYS_LITTLE.test(message)) return message
  const details = detailsIn(textOf(fields, 'details'))
  if (details !== '') return details
  const left = fields.filter(({ name, lines }) => !PLACES.test(name) || isThrown(name, lines))
  return left.map(({ lines }) => beforeFrames(lines)).join('\n') || message
}

interface Field {
  name: string
  lines: string[]
}

/** Lines of each field; deeper ones belong to the field before them. */
function fieldsIn(text: string): Field[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !MARK.test(line))
  const indent = /^ */.exec(lines[0] ?? '')?.[0].length ?? 0
  const fields: Field[] = []
  for (const line of lines.map((each) => each.slice(Math.min(indent, each.search(/\S/))))) {
    const [, name] = /^(\w+):(?=\s|$)/.exec(line) ?? []
    const last = fields.at(-1)
    if (name !== undefined || last === undefined) fields.push({ name: name ?? '', lines: [line] })
    else last.lines.push(line)
  }
  return fields
}

/** Value of a field without the sign that begins a text of several lines. */
function textOf(fields: readonly Field[], name: string): string {
  const { lines = [] } = fields.find((field) => field.name === name) ?? {}
  const [first = '', ...more] = lines
  const own = first.slice(name.length + 1).trim()
  return [...(/^[|>][-+]?\d?$/.test(own) ? [] : [own]), ...more.map((line) => line.trim())]
    .filter(Boolean)
    .join('\n')
}

/** AVA names each value by what it is; converters write them as JSON or as lines. */
function detailsIn(text: string): string {
  return Object.entries(valuesIn(text))
    .map(([name, value]) => {
      const [, kind, , said] = THROWN.exec(value) ?? []
      if (kind !== undefined) return `${kind}: ${said}`
      return value.includes('\n') ? `${name}\n${value}` : `${name} ${value}`.trim()
    })
    .join('\n')
}

const THROWN = /^(\w+) \{\n(?:.*\n)*? +message: (['"`])(.*)\2,\n/

function valuesIn(text: string): Record<string, string> {
  try {
    const values: unknown = JSON.parse(text)
    return Object.fromEntries(
      Object.entries(values ?? {}).map(([name, value]) => [name, `${value}`]),
    )
  } catch {
    return text === '' ? {} : { '': text }
  }
}

/** A stack may begin with what was thrown. */
const isThrown = (name: string, [first = '']: readonly string[]): boolean =>
  name === 'stack' && first !== 'stack:' && !/^stack: [|>]/.test(first) && !FRAME.test(first)

function beforeFrames(lines: readonly string[]): string {
  const end = lines.findIndex((line) => /^\s*at /.test(line))
  return lines.slice(0, end < 0 ? lines.length : end).join('\n')
}

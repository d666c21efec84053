/** A fenced `sh` block, and the `json` or `text` block that shows its output. */
export interface Block {
  script: string
  /** `…` stands for anything within a line. */
  output: string | null
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm

/** The commands that a document tells its reader to type, in order. */
export function commandBlocks(markdown: string): Block[] {
  const blocks: Block[] = []
  for (const [, language = '', text = ''] of markdown.matchAll(FENCE)) {
    const last = blocks.at(-1)
    if (language === 'sh') blocks.push({ script: text.trim(), output: null })
    else if (last?.output === null && ['json', 'text'].includes(language)) last.output = text.trim()
  }
  return blocks
}

/** Pattern of the shown output. */
export const patternOf = (output: string): RegExp =>
  new RegExp(`^${output.split('…').map(literally).join('[^\\n]*')}$`)

const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const PAGE = join(import.meta.dirname, '../../../docs/how-to/use-with-assistants.md')

interface Server {
  url: string
  headers: Record<string, string>
  command: string
  args: string[]
  env: Record<string, string>
}

/** Configurations and commands of the guide on assistants, for an address and a token. */
export function assistantsPage(url: string, token = 'TOKEN') {
  const page = readFileSync(PAGE, 'utf8')
    .replaceAll(/https:\/\/assay\.example|http:\/\/127\.0\.0\.1:4000/g, url)
    .replaceAll(/\bTOKEN\b|\$\{input:assay-token\}/g, token)
  const blocks = [...page.matchAll(/^```(sh|json)\n([\s\S]*?)^```$/gm)]
  const textsIn = (language: string) =>
    blocks.flatMap(([, is, text = '']) => (is === language ? [text.trim()] : []))
  const serverIn = (key: string): Server =>
    textsIn('json')
      .map((text) => JSON.parse(text))
      .find((each) => key in each)[key].assay
  const commandWith = (text: string): string => {
    const lines = textsIn('sh').flatMap((each) => each.split('\n'))
    const line = lines.find((each) => each.includes(text))
    if (!line) throw new Error(`The guide has no command with ${text}`)
    return line
  }
  const [sentence = ''] = /(?<=\. )The scopes .*/.exec(page) ?? []
  const [reading = '', writing = ''] = sentence.split(';')
  const scopesIn = (text: string) => text.match(/[a-z]+:[a-z]+/g) ?? []
  return {
    scopes: { reading: scopesIn(reading), writing: scopesIn(writing) },
    vsCode: serverIn('servers'),
    adapter: serverIn('mcpServers'),
    commandWith,
  }
}

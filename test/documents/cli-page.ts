import { COMMANDS } from '../../cli/commands.ts'
import { commandHelp, programHelp } from '../../cli/help.ts'

const CLI = `# The command assay

\`assay\` works on scenarios as files, executes them, reads results and sends events, over the public interfaces alone. It is one file, \`dist/assay.js\`, that runs with Node 20 or later wherever it is copied to. A running product serves it at \`/api/assay.mjs\`, and at \`/api/assay.tgz\` as [a package for npm](../../cli/README.md), with the types of what \`--json\` writes. [Scenarios in git](../how-to/scenarios-in-git.md) shows it at work.
`

const block = (text: string) => `\`\`\`text\n${text}\`\`\`\n`

/** Help, as the command shows it. */
export const cliPage = (): string =>
  [
    CLI,
    block(programHelp(COMMANDS)),
    ...COMMANDS.map((command) => `## assay ${command.name}\n\n${block(commandHelp(command))}`),
  ].join('\n')

import type { Command } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { COMMON_OPTIONS } from '../help.ts'

const SHELLS: Readonly<Record<string, (commands: readonly Command[]) => string>> = { bash, zsh }

/** @param commands all of them, once they are known */
export const completion = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  args: '<bash | zsh>',
  count: [1, 1],
  does: 'show a script that completes commands and options in a shell',
  details: ['Load it with: source <(assay completion bash)'],
  async run({ args: [shell = ''], terminal }) {
    const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
    if (!script) throw usageError(`Expected ${Object.keys(SHELLS).join(' or ')}, not ${shell}`)
    const text = script(commands())
    terminal.json({ shell, script: text })
    terminal.text(text)
  },
})

function bash(commands: readonly Command[]): string {
  const first = [...new Set(commands.map(({ name }) => name.split(' ')[0]))]
  const pairs = commands.map(({ name }) => name.split(' ')).filter(({ length }) => length > 1)
  const second = [...new Set(pairs.map(([group]) => group))].map((group) => {
    const members = pairs.filter(([each]) => each === group).map(([, member]) => member)
    return `    ${group}) words="${members.join(' ')}" ;;`
  })
  const options = commands.map(({ name, options = {} }) => {
    const words = Object.keys({ ...options, ...COMMON_OPTIONS }).map((option) => `--${option}`)
    return `    "${name}"|"${name} "*) words="${words.join(' ')}" ;;`
  })
  return `# Completes the command assay: source <(assay completion bash)
_assay() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  local line="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${first.join(' ')}"
  elif [[ "$current" == -* ]]; then
    case "$line" in
${options.join('\n')}
    esac
  else
    case "$line" in
${second.join('\n')}
    esac
  fi
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _assay assay
`
}

/** zsh runs the functions of bash. */
function zsh(commands: readonly Command[]): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`
}

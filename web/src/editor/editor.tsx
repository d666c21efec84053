import {
  autocompletion,
  type CompletionSource,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { yaml } from '@codemirror/lang-yaml'
import {
  bracketMatching,
  indentOnInput,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language'
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { useEffect, useEffectEvent, useRef } from 'react'
import { COLOURS, THEME } from './look.ts'

export type Language = 'yaml' | 'javascript' | 'typescript'

interface EditorProps {
  label: string
  language: Language
  /** The text at first; a change of it starts anew. */
  text: string
  onChange(text: string): void
  /** Faults, shown where they are. */
  check?(text: string): Promise<Diagnostic[]>
  complete?: CompletionSource
}

const LANGUAGES: Readonly<Record<Language, () => Extension>> = {
  yaml: () => yaml(),
  javascript: () => javascript(),
  typescript: () => javascript({ typescript: true }),
}

/** The places where source code cannot be read; one for each line. */
function syntaxFaults(state: EditorState): Diagnostic[] {
  const found = new Map<number, Diagnostic>()
  syntaxTree(state).iterate({
    enter({ type, from, to }) {
      const { number } = state.doc.lineAt(from)
      if (!type.isError || found.has(number)) return
      found.set(number, { severity: 'error', message: 'It is no valid syntax', from, to })
    },
  })
  return [...found.values()]
}

/** Pause of typing before the text is checked. */
const CHECK_MS = 400

/**
 * CodeMirror in a shadow tree: there it puts its styles into `adoptedStyleSheets`, which the page's policy allows,
 * and not into a style element, which it forbids. Tab leaves the editor; Ctrl-] indents.
 */
export default function Editor({ label, language, text, onChange, check, complete }: EditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const changed = useEffectEvent(onChange)
  const checked = useEffectEvent(async (given: string) => (await check?.(given)) ?? [])
  const completed = useEffectEvent<CompletionSource>((context) => complete?.(context) ?? null)

  useEffect(() => {
    if (!host.current) return undefined
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          autocompletion({ override: [(context) => completed(context)] }),
          linter(
            async ({ state }) => [
              ...(language === 'yaml' ? [] : syntaxFaults(state)),
              ...(await checked(state.doc.toString())),
            ],
            { delay: CHECK_MS },
          ),
          lintGutter(),
          keymap.of([
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) changed(state.doc.toString())
          }),
          LANGUAGES[language](),
          syntaxHighlighting(COLOURS),
          THEME,
        ],
      }),
    })
    return () => view.destroy()
  }, [text, language, label])

  return <div className="editor" ref={host} />
}

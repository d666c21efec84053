import { useState } from 'react'
import { useMay } from '../app/account.tsx'
import { change } from '../graph/client.ts'
import { ExecuteDocument, type LabelInput } from '../graph/generated.ts'
import { Choice, useEnvironmentChoices } from '../repository/choices.tsx'
import { Button, Dialog } from '../ui/parts.tsx'
import { Start } from './run.tsx'

interface RunWithProps {
  contextId: string
  isSuite: boolean
}

/** Executes with a choice: scenarios of a suite by their tags, another environment, labels. */
export function RunWith({ contextId, isSuite }: RunWithProps) {
  const [isOpen, setOpen] = useState(false)
  const may = useMay('executions:run')
  if (!may) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>Run with…</Button>
      {isOpen && (
        <Dialog title="Run with" onClose={() => setOpen(false)}>
          <Choices contextId={contextId} isSuite={isSuite} onClose={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
}

function Choices({ contextId, isSuite, onClose }: RunWithProps & { onClose(): void }) {
  const environments = useEnvironmentChoices()
  const [environment, setEnvironment] = useState('')
  const [texts, setTexts] = useState({ tags: '', skipTags: '', labels: '' })
  const field = (name: keyof typeof texts, label: string) => (
    <label className="field">
      {label}
      <input
        value={texts[name]}
        onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
      />
    </label>
  )
  return (
    <div className="stack">
      {isSuite && field('tags', 'Only scenarios with one of these tags, with commas between them')}
      {isSuite && field('skipTags', 'No scenarios with one of these tags')}
      {field('labels', 'Labels, as build=42, branch=main')}
      <Choice
        label="Environment instead of their own"
        value={environment}
        choices={environments}
        onChange={setEnvironment}
      />
      <div className="ends">
        <Button onClick={onClose}>Cancel</Button>
        <Start
          label="Run"
          contextId={contextId}
          look="primary"
          start={async (credentials) => {
            const input = {
              contextId,
              credentials,
              environmentId: environment || null,
              tags: listed(texts.tags),
              skipTags: listed(texts.skipTags),
              labels: listed(texts.labels)?.map(labelOf),
            }
            return (await change(ExecuteDocument, { input })).execute.id
          }}
        />
      </div>
    </div>
  )
}

function listed(text: string): string[] | null {
  const items = text.split(',').flatMap((item) => item.trim() || [])
  return items.length > 0 ? items : null
}

function labelOf(text: string): LabelInput {
  const [name = '', value = ''] = text.split(/=(.*)/s)
  return { name: name.trim(), value: value.trim() }
}

import {
  ChannelNamesDocument,
  CreateRuleDocument,
  RuleDetailDocument,
  UpdateRuleDocument,
} from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { ArtifactForm, faultsOfArtifact } from '../repository/forms/artifact-form.tsx'
import { Choices } from '../repository/forms/choices.tsx'
import { EditPage, type FormProps } from '../repository/forms/edit-page.tsx'
import { TextField } from '../repository/forms/field.tsx'
import { NameFields } from '../repository/forms/name-fields.tsx'
import { type Named, NamedList } from '../repository/forms/named-list.tsx'
import { byName } from '../repository/list-page.tsx'
import { KINDS } from '../repository/reading.tsx'
import { Check } from '../ui/inputs.tsx'
import {
  draftOfRule,
  inputOfRule,
  NEW_RULE,
  type Rule,
  type RuleDraft,
  ruleOfEarlier,
} from './drafts.ts'
import { CHANGES } from './words.ts'

export default function EditRule() {
  return (
    <EditPage
      kind={KINDS.rule}
      document={RuleDetailDocument}
      create={CreateRuleDocument}
      update={UpdateRuleDocument}
      fresh={NEW_RULE}
      draftOf={draftOfRule}
      draftOfEarlier={ruleOfEarlier}
      inputOf={inputOfRule}
      check={(draft, id) => faultsOfArtifact('rule', id, inputOfRule(draft))}
      isLeft
      Form={Form}
    />
  )
}

const useChannels = (name: string): readonly Named[] =>
  useRead(ChannelNamesDocument, { filter: byName({ name }).filter ?? {} }).data?.channels.nodes ??
  []

function Form({ artifact: rule, editing }: FormProps<Rule, RuleDraft>) {
  const { draft, set, faults } = editing
  type Text = {
    [Name in keyof RuleDraft]: RuleDraft[Name] extends string ? Name : never
  }[keyof RuleDraft]
  const text = (place: Text) => ({
    ...{ place, faults, value: draft[place] },
    onChange: (value: string) => set({ [place]: value }),
  })
  return (
    <ArtifactForm
      kind={KINDS.rule}
      title={rule ? `Edit ${rule.name}` : 'New rule'}
      editing={editing}
    >
      <div className="two">
        <div className="stack">
          <NameFields draft={draft} set={set} faults={faults} />
          <TextField
            label="Events"
            hint="A query as on the page of events, such as severity:CRITICAL AND source.type:host"
            isRequired
            {...text('query')}
          />
          <Choices
            label="Changes that notify"
            place="on"
            faults={faults}
            options={CHANGES}
            chosen={draft.on}
            onChange={(on) => set({ on })}
          />
          <NamedList
            label="Channels"
            {...{ place: 'channels', faults, items: draft.channels, noun: 'a channel', most: 20 }}
            useMatches={useChannels}
            onChange={(channels) => set({ channels })}
          />
          <TextField label="Text in notifications" {...text('text')} />
          <Check label="Enabled" isOn={draft.enabled} onChange={(enabled) => set({ enabled })} />
        </div>
        <div className="stack">
          <TextField
            label="Grouped by"
            hint="Fields with commas, such as source.ref or properties.region; events with equal values share a notification"
            {...text('groupBy')}
          />
          <TextField label="Wait before the first notification of a group" {...text('groupWait')} />
          <TextField label="Least time between two" {...text('groupInterval')} />
          <TextField
            label="Repeated while open, every"
            hint="Never, if empty"
            {...text('repeatInterval')}
          />
          <TextField label="Flapping after this many changes" {...text('flappingAfter')} />
          <TextField label="within" {...text('flappingWithin')} />
        </div>
      </div>
    </ArtifactForm>
  )
}

import type { TriggerWebhook } from '../graph/generated.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { addressOf } from './trigger-draft.ts'

/** Senders of requests, and what to set there. */
export const SENDERS: Readonly<Record<TriggerWebhook, { title: string; settings: string[] }>> = {
  github: {
    title: 'Requests of GitHub',
    settings: [
      'In the repository: Settings, Webhooks, Add webhook.',
      'Payload URL: the address above. Content type: application/json.',
      'Secret: that of this trigger. Then choose the events, such as pushes.',
    ],
  },
  gitlab: {
    title: 'Requests of GitLab',
    settings: [
      'In the project: Settings, Webhooks, Add new webhook.',
      'URL: the address above.',
      'Secret token: that of this trigger; or store its signing token here. Then choose the events, such as pushes.',
    ],
  },
  standard: {
    title: 'Requests with Standard Webhooks',
    settings: [
      'At the sender: an endpoint with the address above.',
      'Signing secret: that of this trigger, which begins with whsec_.',
    ],
  },
}

/** Address of a webhook, and what to set at its sender. */
export const Sender = ({ name, webhook }: { name: string; webhook: TriggerWebhook }) => (
  <>
    <div className="row">
      <code className="code grow">{addressOf(name)}</code>
      <CopyButton small text={addressOf(name)} label="Copy the address" />
    </div>
    <ul className="stack tight soft">
      {SENDERS[webhook].settings.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </>
)

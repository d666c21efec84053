import { Fragment, useState } from 'react'
import { Missing, useMay } from '../app/account.tsx'
import { type SettingRowFragment, SettingsDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { Check } from '../ui/inputs.tsx'
import { Card, Empty, Page } from '../ui/parts.tsx'
import { LoadingRows, Problem } from '../ui/waiting.tsx'
import { WorkerList } from './workers.tsx'

const GROUPS = [
  { tier: 'EVERYDAY', title: 'Every installation' },
  { tier: 'OPERATORS', title: 'For operators' },
  { tier: 'LIMITS', title: 'Limits' },
] as const

/** Configuration of the server, and workers that run executions. */
export default function Settings() {
  const isAllowed = useMay('accounts:manage')
  return (
    <Page title="Settings and limits">
      <WorkerList />
      {isAllowed ? (
        <SettingGroups />
      ) : (
        <Missing permission="accounts:manage" title="Settings are for administrators" />
      )}
    </Page>
  )
}

function SettingGroups() {
  const { data, error, isLoading, reload } = useRead(SettingsDocument, {})
  const [part, setPart] = useState('')
  const [onlyChanged, setOnlyChanged] = useState(false)
  const found = [...(data?.server.settings ?? []), ...(data?.server.limits ?? [])].filter(
    ({ name, isChanged }) => name.includes(part.toUpperCase()) && (isChanged || !onlyChanged),
  )
  return (
    <>
      <div className="row">
        <input
          className="input named"
          data-search
          aria-label="Name of a setting"
          placeholder="Part of the name"
          value={part}
          onChange={({ target }) => setPart(target.value)}
        />
        <Check
          className="row tight"
          label="Only changed ones"
          isOn={onlyChanged}
          onChange={setOnlyChanged}
        />
      </div>
      {error && <Problem message={error} retry={reload} />}
      {isLoading && <LoadingRows />}
      {data && found.length === 0 && (
        <Empty icon="search" title="No setting matches">
          <p>Settings are environment variables of the process that serves this page.</p>
        </Empty>
      )}
      {GROUPS.map(({ tier, title }) => {
        const settings = found.filter((setting) => setting.tier === tier)
        return (
          settings.length > 0 && (
            <Card key={tier} title={title}>
              <ul className="settings">
                {settings.map((setting) => (
                  <SettingLine key={setting.name} {...setting} />
                ))}
              </ul>
            </Card>
          )
        )
      })}
    </>
  )
}

const SettingLine = (setting: SettingRowFragment) => (
  <li>
    <div className="row tight">
      <span className="mono">{setting.name}</span>
      {setting.isChanged && <span className="badge">Changed</span>}
    </div>
    <div className="mono">{effective(setting)}</div>
    <p className="under">
      <Marked text={setting.meaning} />{' '}
      {setting.isChanged && !setting.isSecret && (
        <>
          Default: <Marked text={setting.default} />.
        </>
      )}
    </p>
  </li>
)

function effective({ value, isSecret, isChanged, default: standard }: SettingRowFragment) {
  if (isSecret && isChanged) return <span className="faint">set; not shown</span>
  if (value !== null && value !== '') return value
  return (
    <span className="faint">
      <Marked text={standard} />
    </span>
  )
}

/** Markdown with code and links; the links lead into the documents of the repository, so their words stay. */
const Marked = ({ text }: { text: string }) =>
  text
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .split('`')
    .map((part, index) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a constant text
      index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>,
    )

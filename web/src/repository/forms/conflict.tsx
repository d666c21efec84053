import { yamlOf } from '../../editor/yaml-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { Button } from '../../ui/parts.tsx'
import { Changes } from '../changes.tsx'
import type { Editing } from './use-draft.ts'

interface ConflictProps<Draft> {
  editing: Editing<Draft>
  /** A draft as people read it. */
  textOf?(draft: Draft): string
}

/** Says that another has stored the artifact meanwhile, shows how that differs, and lets the reader choose. */
export default function Conflict<Draft>({
  editing: { conflict, draft, takeTheirs, keepMine },
  textOf = yamlOf,
}: ConflictProps<Draft>) {
  if (conflict === null) return null
  if (conflict === 'gone')
    return (
      <div className="notice warn" role="alert">
        <Icon name="alert" />
        <div className="grow">It was deleted meanwhile, so it cannot be saved any more.</div>
      </div>
    )
  return (
    <section className="card" role="alert" aria-label="Changed meanwhile">
      <header>
        <h2>Revision {conflict.revision} was stored meanwhile</h2>
        <div className="row">
          <Button onClick={takeTheirs}>Take what is stored</Button>
          <Button onClick={keepMine}>Keep mine</Button>
        </div>
      </header>
      <div className="stack body">
        <p className="soft">
          The lines with + are yours, those with - are stored now. Whatever you keep, Save stores
          it.
        </p>
        <Changes before={textOf(conflict.draft)} after={textOf(draft)} />
      </div>
    </section>
  )
}

import { Link, useRouter, useRouterState } from '@tanstack/react-router'
import { useMay } from '../app/account.tsx'
import { change } from '../graph/client.ts'
import { CreateSavedViewDocument } from '../graph/generated.ts'
import { Icon } from '../ui/icon.tsx'
import { FormButton } from '../ui/inputs.tsx'
import { type SavedView, useRouteOf, useStartPage, useViews } from './saved.ts'

/** Views that the menu shows at most. */
const SHOWN = 12

/** Saved views in the menu, and a button that saves the page that is shown. */
export function MenuViews() {
  const { views, isLoading, reload } = useViews()
  useStartPage(views, isLoading)
  const maySave = useMay('account:own')
  return (
    <div className="menu">
      <div className="group row">
        <span className="grow">Views</span>
        {maySave && <SaveView onSaved={reload} />}
      </div>
      {views.slice(0, SHOWN).map((view) => (
        <ViewLink key={view.id} {...view} />
      ))}
      <Link to="/views">
        <Icon name="eye" />
        {views.length > SHOWN ? `All ${views.length} views` : 'Saved views'}
      </Link>
    </div>
  )
}

export function ViewLink({ address, name }: Pick<SavedView, 'address' | 'name'>) {
  const { to, search } = useRouteOf()(address)
  return (
    <Link to={to} search={search} activeOptions={{ exact: true, includeSearch: true }}>
      <Icon name="right" />
      <span className="cut" dir="auto">
        {name}
      </span>
    </Link>
  )
}

function SaveView({ onSaved }: { onSaved(): void }) {
  const router = useRouter()
  const mayShare = useMay('artifacts:write')
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const save = async (form: FormData) => {
    const input = {
      name: String(form.get('name')),
      address: router.state.location.href,
      isShared: form.has('shared'),
      isStartPage: form.has('start'),
    }
    await change(CreateSavedViewDocument, { input })
    onSaved()
  }
  return (
    <FormButton
      label="Save view"
      look="plain"
      small
      title="Save this page as a view"
      action="Save"
      submit={save}
    >
      <p className="soft cut">{path}, with its filters and order</p>
      <label className="field">
        Name
        <input name="name" maxLength={100} required />
      </label>
      {mayShare && (
        <label className="row tight">
          <input type="checkbox" name="shared" />
          Show it to all users
        </label>
      )}
      <label className="row tight">
        <input type="checkbox" name="start" />
        Start with it
      </label>
    </FormButton>
  )
}

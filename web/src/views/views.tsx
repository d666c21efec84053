import { useMay } from '../app/account.tsx'
import { change } from '../graph/client.ts'
import {
  DeleteSavedViewDocument,
  UpdateSavedViewDocument,
  type UpdateSavedViewInput,
} from '../graph/generated.ts'
import { actionColumn } from '../ui/action-column.tsx'
import { FormButton } from '../ui/inputs.tsx'
import { List } from '../ui/list.tsx'
import { Button, Empty, Page } from '../ui/parts.tsx'
import type { Column } from '../ui/table.tsx'
import { attempt } from '../ui/toasts.tsx'
import { ViewLink } from './menu-views.tsx'
import { type SavedView, useViews } from './saved.ts'

/** The own views and the shared ones: names, and what the client starts with. */
export default function Views() {
  const { views, error, isLoading, reload } = useViews()
  const mayShare = useMay('artifacts:write')
  const isAdmin = useMay('accounts:manage')
  const update = async (input: UpdateSavedViewInput) => {
    await change(UpdateSavedViewDocument, { input })
    reload()
  }
  const remove = ({ id, name }: SavedView) =>
    attempt(async () => {
      await change(DeleteSavedViewDocument, { id })
      reload()
      return `The view ${name} was deleted`
    })
  return (
    <Page title="Saved views">
      <List
        label="Saved views"
        columns={columnsOf({
          update,
          remove,
          mayShare,
          mayChange: (view) => view.isOwn || isAdmin,
        })}
        list={{ rows: views, error, isLoading, reload }}
        nothing={
          <Empty icon="eye" title="No view is saved">
            <p>Filter and sort a list, then press “Save view” in the menu.</p>
          </Empty>
        }
      />
    </Page>
  )
}

interface Actions {
  update(input: UpdateSavedViewInput): Promise<void>
  remove(view: SavedView): void
  mayShare: boolean
  mayChange(view: SavedView): boolean
}

const columnsOf = ({
  update,
  remove,
  mayShare,
  mayChange,
}: Actions): readonly Column<SavedView>[] => [
  {
    title: 'Name',
    width: 'minmax(8rem, 1fr)',
    narrow: 'minmax(0, 1fr)',
    cell: (view) => <ViewLink {...view} />,
  },
  {
    title: 'Page',
    width: 'minmax(10rem, 2fr)',
    cell: ({ address }) => <span className="cut soft">{address}</span>,
  },
  {
    title: 'Start page',
    width: '7rem',
    cell: ({ id, name, isOwn, isStartPage }) =>
      isOwn && (
        <input
          type="checkbox"
          className="above"
          aria-label={`Start with ${name}`}
          checked={isStartPage}
          onChange={({ target }) => attempt(() => update({ id, isStartPage: target.checked }))}
        />
      ),
  },
  {
    title: 'Shared',
    width: '6rem',
    cell: (view) =>
      mayShare && mayChange(view) ? (
        <input
          type="checkbox"
          className="above"
          aria-label={`Show ${view.name} to all users`}
          checked={view.isShared}
          onChange={({ target }) =>
            attempt(() => update({ id: view.id, isShared: target.checked }))
          }
        />
      ) : (
        view.isShared && 'yes'
      ),
  },
  actionColumn(
    { width: '11rem', narrow: '10rem' },
    (view) =>
      mayChange(view) && (
        <span className="row tight">
          <FormButton
            label="Rename"
            look="plain"
            small
            action="Rename"
            submit={(form) => update({ id: view.id, name: String(form.get('name')) })}
          >
            <label className="field">
              Name
              <input name="name" defaultValue={view.name} maxLength={100} required />
            </label>
          </FormButton>
          <Button small look="danger" onClick={() => remove(view)}>
            Delete
          </Button>
        </span>
      ),
  ),
]

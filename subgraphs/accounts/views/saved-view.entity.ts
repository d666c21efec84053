import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { Row } from '../../../platform/database/row.ts'

export const SavedViewEntity = defineEntity({
  name: 'SavedView',
  tableName: 'saved_view',
  properties: {
    id: p.uuid().primary(),
    /** Id of an account, or subject or name of a user; empty: the installation, where no one signs in. */
    owner: p.text(),
    name: p.text(),
    /** Path and query of a page. */
    address: p.text(),
    isShared: p.boolean(),
    isStartPage: p.boolean(),
    created: p.datetime(3),
  },
  uniques: [{ name: 'saved_view_name_unique', properties: ['owner', 'name'] }],
  indexes: [
    {
      name: 'saved_view_start_page_unique',
      expression:
        'create unique index "saved_view_start_page_unique" on "accounts"."saved_view" ("owner") where "is_start_page"',
    },
  ],
})

/** A page with its filters and order, under a name. */
export type SavedView = Row<InferEntity<typeof SavedViewEntity>>

import { type Range, rangeSearch } from '../ui/range.ts'

export const TABS = [
  { name: 'tokens', title: 'API tokens' },
  { name: 'sessions', title: 'Sessions' },
  { name: 'accounts', title: 'Accounts' },
  { name: 'audit', title: 'Audit log' },
] as const

type AdministrationTab = (typeof TABS)[number]['name']

const TEXTS = ['user', 'action', 'target'] as const

/** The tab, and the filters of the audit log. */
export interface AdministrationSearch extends Range {
  tab?: AdministrationTab
  user?: string
  action?: string
  target?: string
}

export function administrationSearch(given: Record<string, unknown>): AdministrationSearch {
  const known = TABS.find(({ name }) => name === given.tab)
  const texts = TEXTS.flatMap((name) => {
    const value = given[name]
    return typeof value === 'string' && value !== '' ? [[name, value]] : []
  })
  return {
    ...(known && { tab: known.name }),
    ...rangeSearch(given),
    ...Object.fromEntries(texts),
  }
}

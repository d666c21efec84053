export const TABS = [
  { name: 'tokens', title: 'API tokens' },
  { name: 'sessions', title: 'Sessions' },
  { name: 'accounts', title: 'Accounts' },
  { name: 'audit', title: 'Audit log' },
] as const

type AdministrationTab = (typeof TABS)[number]['name']

export const administrationSearch = ({
  tab,
}: Record<string, unknown>): { tab?: AdministrationTab } => {
  const known = TABS.find(({ name }) => name === tab)
  return known ? { tab: known.name } : {}
}

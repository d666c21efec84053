const TABS = ['tokens', 'sessions', 'accounts', 'audit'] as const

export type AdministrationTab = (typeof TABS)[number]

export const administrationSearch = ({
  tab,
}: Record<string, unknown>): { tab?: AdministrationTab } => {
  const known = TABS.find((each) => each === tab)
  return known ? { tab: known } : {}
}

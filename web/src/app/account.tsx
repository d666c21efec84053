import { useEffect } from 'react'
import { ViewerDocument } from '../graph/generated.ts'
import { lastUser, signOut } from '../graph/session.ts'
import { SETTINGS } from '../graph/settings.ts'
import { useRead } from '../graph/use-read.ts'
import { Button, Empty } from '../ui/parts.tsx'
import { attempt } from '../ui/toasts.tsx'
import { Password } from './password.tsx'

/** Account of the viewer. */
export function Account() {
  const { data } = useRead(ViewerDocument, {})
  const user = data?.viewer.user
  const subject = data?.viewer.subject ?? null
  useEffect(() => {
    if (user) lastUser.set({ user, subject })
  }, [user, subject])
  if (SETTINGS.authMode === 'none') return null
  return (
    <div className="user">
      <span className="cut" title={data?.viewer.user ?? undefined}>
        {data?.viewer.user ?? 'Not signed in'}
      </span>
      {data?.viewer.account && <Password />}
      {SETTINGS.authMode !== 'proxy' && data?.viewer.user && (
        <Button small look="plain" onClick={() => attempt(signOut)}>
          Sign out
        </Button>
      )}
    </div>
  )
}

/** True if the viewer may do something; everything counts as allowed until it is known. */
export function useMay(permission: string | undefined): boolean {
  return useRights(permission === undefined)(permission)
}

/** Permissions of the viewer, several at once. @param skip none is asked for, so nothing is read */
export function useRights(skip: boolean): (permission: string | undefined) => boolean {
  const { data } = useRead(ViewerDocument, {}, skip)
  return (permission) =>
    permission === undefined || (data?.viewer.permissions.includes(permission) ?? true)
}

/** In the place of what the viewer may not do. */
export const Missing = ({ permission, title }: { permission: string; title: string }) => (
  <Empty icon="shield" title={title}>
    <p>Ask an administrator for the permission {permission}.</p>
  </Empty>
)

import type { FirstAdmin } from '../../platform/access/first-admin.ts'
import type { AccountService } from './account.service.ts'

/** Creates the first administrator where no account exists, and logs its generated password once. */
export async function welcomeFirstAdmin(
  accounts: AccountService,
  { email, password }: FirstAdmin,
): Promise<void> {
  const first = await accounts.createFirst({ email, role: 'admin', password: password ?? null })
  // To the terminal, not to the log, which is kept and read by others.
  if (first?.password)
    process.stdout.write(
      `\nThe first administrator: ${first.account.email}, password ${first.password}\nIt is shown only now. Change it with: npm run accounts -- password ${first.account.email}\n\n`,
    )
}

/** Jest's globalTeardown: runs in the process of database-setup.ts and ends what that started. */
export default async function teardown(): Promise<void> {
  await (globalThis as { stopTestDatabase?: () => Promise<void> }).stopTestDatabase?.()
}

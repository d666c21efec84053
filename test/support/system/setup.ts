import startDatabase from '../database-setup.ts'
import { requirePrograms } from './programs.ts'

/** Jest's globalSetup: fails the run at once, with the line to type, where a program is missing. */
export default async function setup(): Promise<void> {
  requirePrograms()
  await startDatabase()
}

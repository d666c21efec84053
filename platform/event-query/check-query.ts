import { compileQuery } from './compile.ts'

/** @throws AppError BAD_USER_INPUT that names the position of the fault, for a query of events as for one of a list */
export const checkEventQuery = (text: string): void => void compileQuery(text, 'event')

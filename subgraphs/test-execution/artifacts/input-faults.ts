import { AppError } from '../../../formats/errors.ts'

/** Input with several faults. Its message is the first; what lists faults shows all. */
export class InputFaults extends AppError {
  readonly faults: readonly string[]

  constructor(faults: readonly [string, ...string[]]) {
    super('BAD_USER_INPUT', faults[0])
    this.faults = faults
  }
}

import { testStalls } from './_support/test-stalls.ts'
import { RESULT_STALLS } from './stall-corpus-results.ts'

testStalls(RESULT_STALLS, { COMMAND_STEPS: 'on' })

import { testContract } from './contract.ts'

testContract('TX')

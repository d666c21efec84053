import { testContract } from './contract.ts'

testContract('EV')

import vm from 'node:vm'
import { TestEnvironment } from 'jest-environment-node'

/**
 * Jest's environment for Node, with a context that has globals of its own. Jest makes one over a proxy, and each use of
 * `Object`, `Map` or `Promise` there calls a function of the proxy.
 */
export default class extends TestEnvironment {
  constructor(...given) {
    const { createContext } = vm
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY)
    try {
      super(...given)
    } finally {
      vm.createContext = createContext
    }
  }
}

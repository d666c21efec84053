import Runner from 'jest-runner'

/** Runs the files of its projects one after the other, when those of other projects have ended. */
export default class OneAtATime extends Runner {
  constructor(globalConfig, context) {
    super({ ...globalConfig, maxWorkers: 1 }, context)
  }
}

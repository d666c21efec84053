import './absent.js'
describe('absent', () => { it('a', () => {}) })

import { readFileSync } from 'node:fs'

test('an image is built out of all files that the build reads', () => {
  const build = readFileSync('build.js', 'utf8')
  const lists = [...build.matchAll(/^const (?:CODE|SOURCES) = \[([^\]]*)/gm)].map(
    ([, list]) => list,
  )
  const named = lists.flatMap((list = '') =>
    [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name),
  )
  const read = [...build.matchAll(/readFileSync\('([^'`]+)'/g)].map(([, name]) => name)
  const own = [...named, ...read].map((name = '') => name.split('/')[0])
  expect(own.length).toBeGreaterThan(10)
  const copied = readFileSync('.dockerignore', 'utf8').split('\n')
  const ignored = own.filter(
    (name) => !['node_modules', 'dist'].includes(name ?? '') && !copied.includes(`!${name}`),
  )
  expect(ignored).toEqual([])
})

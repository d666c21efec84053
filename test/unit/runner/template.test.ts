import { fillIn } from '../../../runner/scenario/template.ts'

const scope = {
  row: { sum: 5, customer: { name: 'Ann', tags: ['a', 'b'] }, '': 1 },
  capture: { 'order.id': 'o-1' },
  env: { baseUrl: 'http://a', 'a.b': true },
  var: { none: null },
  setup: {},
}

test.each([
  ['a number stays a number', '{{row.sum}}', 5],
  ['an object stays an object', '{{ row.customer }}', scope.row.customer],
  ['null stays null', '{{var.none}}', null],
  ['text around it makes it text', 'sum {{row.sum}} of {{row.customer.name}}', 'sum 5 of Ann'],
  ['what is no text is written as JSON', '{{row.customer.tags}}!', '["a","b"]!'],
  ['a list has positions', '{{row.customer.tags.1}}', 'b'],
  ['a name may hold dots', '{{capture.order.id}} {{env.a.b}}', 'o-1 true'],
  ['all of a kind', '{{env}}', scope.env],
  ['within lists and objects', [{ a: '{{row.sum}}' }], [{ a: 5 }]],
  ['a backslash keeps it', 'x\\{{.State}}', 'x{{.State}}'],
  ['braces around no name', '{{7*7}} {{}} {{#each}}', '{{7*7}} {{}} {{#each}}'],
  ['other values', [1, true, null, '{ {x} }'], [1, true, null, '{ {x} }']],
])('%s', (_, value, expected) => {
  expect(fillIn<unknown>(value, scope)).toEqual(expected)
})

test('what is filled in is not looked at again', () => {
  expect(fillIn('{{row.a}}', { ...scope, row: { a: '{{env.secret}}' } })).toBe('{{env.secret}}')
})

test.each(['row.nothing', 'rov.sum', 'row.customer.name.x', 'row.toString', 'row.__proto__'])(
  'an unknown name is an error that names it: %s',
  (name) => {
    expect(() => fillIn(`a {{${name}}}`, scope)).toThrow(
      expect.objectContaining({
        code: 'UNKNOWN_NAME',
        message: expect.stringContaining(`{{${name}}}`),
      }),
    )
  },
)

test.each([
  ['within text', '{{var.half}}{{var.half}}{{var.half}}'],
  ['each alone', ['{{var.half}}', '{{var.half}}', '{{var.half}}']],
  ['within an object', { a: '{{var}}', b: { c: '{{var.half}} {{var.half}}' } }],
])('what is filled in is bounded: %s', (_, value) => {
  const large = { ...scope, var: { half: 'x'.repeat(500_000) } }
  expect(() => fillIn<unknown>(value, large)).toThrow(
    expect.objectContaining({
      code: 'TEMPLATE_LIMIT',
      message: expect.stringContaining('insert more than 1048576 characters: capture and insert'),
    }),
  )
  expect(fillIn('{{var.half}}{{var.half}}', large)).toHaveLength(1_000_000)
})

import { writeXml } from '../../../runner/reports/write-xml.ts'

test('texts and attributes name no file that a build server would publish', async () => {
  const name = 'a [[ATTACHMENT|/etc/passwd]]'
  const files = ['attachments/1/<a>.png', 'attachments/2/b.png']
  const xml = await writeXml({ name: 'a', attributes: { name }, text: name, files })
  expect(xml.match(/\[\[ATTACHMENT\|[^\n<]*/g)).toEqual([
    '[[ATTACHMENT|attachments/1/&lt;a&gt;.png]]',
    '[[ATTACHMENT|attachments/2/b.png]]',
  ])
  expect(xml.match(/\[ \[ATTACHMENT\|\/etc\/passwd\]\]/g)).toHaveLength(2)
  expect(await writeXml({ name: 'a', files })).toContain('<a>[[ATTACHMENT|attachments/1')
})

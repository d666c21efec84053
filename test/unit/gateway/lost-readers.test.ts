import { mkdtemp, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { Reader, unacknowledged } from '../../../gateway/http/graphql/lost-readers.ts'

/** As Linux 6.18 has it. */
const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:A573 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 10 1 0000 100 0 0 10 0
   1: 0100007F:A573 4D00007F:9E65 01 00000000:00000000 02:000000A3 00000000     0        1 11 1 0000 20 4 31 12 -1
   2: 0100007F:A573 4D00007F:9E66 01 00000010:00000000 01:00000014 00000000     0        0 12 1 0000 20 4 31 12 -1
   3: 0100007F:A573 4D00007F:9E67 01 00000018:00000000 01:0000001F 00000003  1000        0 13 2 0000 163 4 31 1 -1
   4: 0100007F:A573 4D00007F:9E68 01 00000030:00000000 04:00000027 00000000     0        4 14 2 0000 326 4 31 1 -1
   5: 0100007F:A573 4D00007F:9E69 04 00000030:00000000 01:00000027 00000004     0        0 15 2 0000 326 4 31 1 -1
`

test('sockets whose peer acknowledges nothing are read from the tables of the system', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'assay-tcp-')), 'tcp')
  await writeFile(file, TABLE)
  expect(await unacknowledged([file, '/nowhere'])).toEqual(new Set([13, 14]))
  expect(await unacknowledged(['/nowhere'])).toEqual(new Set())
})

test('a reader that takes nothing of what waits for it is lost with the third keep-alive', () => {
  const socket = { bytesWritten: 100, writableLength: 10 }
  const body = Object.assign(new PassThrough(), { socket: socket as unknown as Socket })
  const reader = new Reader(body)
  const isLost = () => reader.isLost(new Set())
  expect([isLost(), isLost()]).toEqual([false, false])
  socket.writableLength = 5
  expect([isLost(), isLost(), isLost()]).toEqual([false, false, true])
})

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { FORMAT, type Manifest } from '../../../backup/manifest.ts'
import { restore } from '../../../backup/restore.ts'
import { startOrm } from '../../../platform/database/orm.ts'
import { STORAGE } from '../../../subgraphs/test-execution/storage.ts'
import { administer, urlOf } from '../../support/database.ts'

const MANIFEST: Manifest = {
  ...{ format: FORMAT, assay: '0.1.0', postgres: '18', createdAt: '2026-01-01T00:00:00.000Z' },
  ...{ jobs: null, migrations: {}, tables: [], sequences: [], sealed: null },
}

test.each(['LATIN1', 'SQL_ASCII'])(
  'a start and a restore refuse a database with the encoding %s',
  async (encoding) => {
    const name = `test_${randomBytes(8).toString('hex')}`
    await administer(`create database ${name} encoding '${encoding}' locale 'C' template template0`)
    const url = urlOf(name)
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      const refusal = `The database "${name}" has the encoding ${encoding}; Assay needs UTF8.`
      await expect(startOrm({ url, ...STORAGE })).rejects.toThrow(refusal)
      await expect(restore(client, 'none', MANIFEST)).rejects.toThrow(refusal)
      const { rows } = await client.query(
        "select 1 from pg_namespace where nspname = 'test_execution'",
      )
      expect(rows).toEqual([])
    } finally {
      await client.end()
      await administer(`drop database ${name} with (force)`)
    }
  },
)

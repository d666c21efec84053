import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Peers {
  /** Folders in which the scripts of `./peers` can be run, by the name of the installation. */
  folders: Readonly<Record<keyof typeof PACKAGES, string>>
  versions: Readonly<Record<string, string>>
  remove(): Promise<void>
}

const GRAPHQL = { graphql: '16.15.0', '@apollo/subgraph': '2.14.4' }

/** Apart, because their dependencies are at odds. */
const PACKAGES = {
  apollo: {
    dependencies: { ...GRAPHQL, '@apollo/gateway': '2.14.4', '@apollo/server': '5.5.1' },
  },
  mercurius: {
    dependencies: {
      graphql: '16.11.0', // its documents are more than the printer of later versions takes
      '@mercuriusjs/federation': '5.1.0',
      '@mercuriusjs/gateway': '5.2.0',
      '@graphql-tools/utils': '10.11.0', // used, but not asked for, by @mercuriusjs/federation
      fastify: '5.12.8',
      mercurius: '16.10.1',
    },
    overrides: { graphql: '16.11.0' },
  },
  hive: {
    dependencies: {
      ...GRAPHQL,
      '@graphql-hive/gateway-runtime': '2.12.1',
      '@graphql-mesh/transport-http': '1.2.1',
    },
    // The version that it asks for is not in every registry.
    overrides: { '@graphql-tools/batch-execute': '10.2.0' },
  },
  hiveRust: {
    dependencies: {
      ...GRAPHQL,
      '@graphql-hive/gateway-runtime': '2.12.1',
      '@graphql-hive/router-runtime': '1.4.23',
      '@graphql-mesh/transport-http': '1.2.1',
    },
    overrides: { '@graphql-tools/batch-execute': '10.2.0' },
  },
}

/**
 * Installs the gateways that ours is compared with into a temporary folder; the product knows none of them.
 * @param kept a folder to install into and leave behind, for the next run
 */
export async function installPeers(kept: string | undefined): Promise<Peers> {
  const root = kept ?? (await mkdtemp(join(tmpdir(), 'assay-peers-')))
  const versions: Record<string, string> = {}
  const folders = Object.entries(PACKAGES).map(async ([name, manifest]) => {
    const folder = join(root, name)
    await cp(join(import.meta.dirname, 'peers'), folder, { recursive: true })
    const text = JSON.stringify({ name, private: true, type: 'module', ...manifest })
    await writeFile(join(folder, 'package.json'), text)
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--silent'], {
      cwd: folder,
    })
    for (const dependency of Object.keys(manifest.dependencies)) {
      const file = join(folder, 'node_modules', dependency, 'package.json')
      versions[dependency] = JSON.parse(await readFile(file, 'utf8')).version
    }
    return [name, folder] as const
  })
  return {
    folders: Object.fromEntries(await Promise.all(folders)) as Peers['folders'],
    versions,
    remove: async () => {
      if (!kept) await rm(root, { recursive: true, force: true })
    },
  }
}

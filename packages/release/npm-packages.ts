import { join } from 'node:path'
import about from '../../package.json'
import entry from '../../server.json'
import { below, type Entry, file, gzip, program, tar } from './archive.ts'
import type { Target } from './targets.ts'

/** Facts that all packages of a release share; `repository` is the web address of the sources. */
export type NpmFacts = { version: string; repository: string; licences: Entry[] }

/** A package for `npm publish`, and the name of its file. */
export type NpmPackage = { file: string; bytes: Uint8Array }

/** The package with the executable of one target; npm installs it on machines of that kind alone. */
export function platformPackage(
  target: Target,
  executable: Uint8Array,
  facts: NpmFacts,
): NpmPackage {
  const name = platformName(target)
  const { os, cpu, libc } = target
  const content = {
    ...described(name, `The executable of ${about.name} for ${target.name}.`, facts),
    os: [os],
    cpu: [cpu],
    ...(libc ? { libc: [libc] } : {}),
    preferUnplugged: true,
  }
  return packed(name, content, [program(`bin/${target.file}`, executable), ...facts.licences])
}

// Of a scope that the project owns: a plain name could become anybody's.
const MAIN = `@${about.name}/${about.name}`

/** The package that people name: it starts the executable of the one that npm chose beside it. */
export async function mainPackage(
  targets: readonly Target[],
  facts: NpmFacts,
): Promise<NpmPackage> {
  const names = targets.map(platformName)
  const content = {
    ...described(MAIN, about.description, facts),
    // Shows the MCP registry that the package belongs to the entry.
    mcpName: entry.name,
    bin: { [about.name]: 'bin/beckon.cjs' },
    engines: { node: '>=18' },
    optionalDependencies: Object.fromEntries(names.map((name) => [name, facts.version])),
  }
  const starter = await Bun.file(join(import.meta.dir, 'npm-start.cjs')).text()
  return packed(MAIN, content, [program('bin/beckon.cjs', starter), ...facts.licences])
}

function platformName({ os, cpu, libc }: Target): string {
  return `@${about.name}/${os}-${cpu}${libc === 'musl' ? '-musl' : ''}`
}

function described(name: string, description: string, { version, repository }: NpmFacts) {
  return { name, version, description, license: about.license, ...sourceOf(repository) }
}

/** npm refuses a package with provenance whose repository is not the one that built it. */
export function sourceOf(repository: string) {
  return repository ? { repository: { type: 'git', url: `git+${repository}.git` } } : {}
}

export function packed(
  name: string,
  content: { version: string },
  files: readonly Entry[],
): NpmPackage {
  const json = `${JSON.stringify(content, null, 2)}\n`
  const entries = below('package', [file('package.json', json), ...files])
  const flat = name.replace('@', '').replace('/', '-')
  return { file: `${flat}-${content.version}.tgz`, bytes: gzip(tar(entries)) }
}

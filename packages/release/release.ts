import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type MinisignSecretKey, signatureOf } from '../../src/platform/signing/minisign.ts'
import { below, type Entry, file, gzip, program, tar, zip, zstd } from './archive.ts'
import { jsClient, pythonClient } from './clients.ts'
import { type Companions, companionFiles, companionsOf } from './companions.ts'
import { debianName, debianPackage } from './debian-package.ts'
import type { Built, ReleaseFacts } from './executable.ts'
import { formula } from './homebrew.ts'
import { type ImagePart, imageArchive } from './image.ts'
import { installer } from './installer.ts'
import { mainPackage, type NpmPackage, platformPackage } from './npm-packages.ts'
import { sbom } from './sbom.ts'
import { TARGETS, type Target } from './targets.ts'

export type ReleaseOptions = {
  /** A new folder, or one of an earlier release, which is emptied first. */
  out: string
  targets: readonly Target[]
  version: string
  /** Where the release will lie; without it there is no installer and no formula. */
  url?: string
  /** The web address of the sources, which npm compares with the provenance of its packages. */
  repository?: string
  /** Without it nothing is signed. */
  key?: MinisignSecretKey
  build(target: Target, facts: ReleaseFacts): Promise<Built>
  /** The C library below the executable in an image; without it there is no image. */
  base?(cpu: Target['cpu']): Promise<Uint8Array>
  /** Called before each step; `done` of `all` are behind. */
  step?(what: string, done: number, all: number): void
}

/** A file of the release, by its path in the folder. */
export type ReleasedFile = { path: string; bytes: number; sha256: string }

/**
 * Makes a whole release: archives, packages, bill of materials, installer, checksums, signature.
 * The same sources, targets, address and key give the same bytes.
 */
export async function makeRelease(options: ReleaseOptions): Promise<ReleasedFile[]> {
  const { out, targets, version, url = '', repository = '', key, step = () => {} } = options
  requireOurs(out)
  rmSync(out, { recursive: true, force: true })
  mkdirSync(join(out, 'npm'), { recursive: true })
  const files: ReleasedFile[] = []
  const add = async (path: string, content: Uint8Array | string) => {
    const bytes = Buffer.from(content)
    await Bun.write(join(out, path), bytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    files.push({ path, bytes: bytes.length, sha256 })
  }
  const addPackage = ({ file, bytes }: NpmPackage) => add(`npm/${file}`, bytes)
  const npmFacts = (more: Companions) => ({ version, repository, licences: licencesOf(more) })
  const steps = targets.length * 2 + 1
  const facts = { publicKey: key?.publicKey ?? '', url }

  let built: Built | undefined
  let companions: Companions | undefined
  const image: ImagePart[] = []
  for (const [i, target] of targets.entries()) {
    step(`building ${target.name}`, i * 2, steps)
    built = await options.build(target, facts)
    companions ??= await companionsOf(built.packages, version)
    step(`packing ${target.name}`, i * 2 + 1, steps)
    for (const [name, bytes] of archives(target, version, built.bytes, companions))
      await add(name, bytes)
    await addPackage(platformPackage(target, built.bytes, npmFacts(companions)))
    if (target.libc === 'glibc') {
      const { cpu } = target
      const base = await options.base?.(cpu)
      if (base) image.push({ cpu, executable: built.bytes, base })
      await add(
        debianName(target, version),
        debianPackage(target, version, built.bytes, companions),
      )
    }
  }
  if (!built || !companions) throw new Error('A release needs a target.')
  step('finishing', steps - 1, steps)
  await addPackage(await mainPackage(targets, npmFacts(companions)))
  const client = { repository, licence: companions.licence }
  await addPackage(await jsClient(client))
  for (const { file, bytes } of await pythonClient(client)) await add(`python/${file}`, bytes)
  await add(`beckon-${version}.cdx.json`, sbom(built.packages, version))
  if (image.length > 0) {
    await add(`beckon-${version}-image.tar`, imageArchive(image, version, companions))
  }
  const sums = new Map(files.map(({ path, sha256 }) => [path, sha256]))
  if (url) await add('install.sh', await installer(url, facts.publicKey))
  if (url && targets.length === TARGETS.length) await add('beckon.rb', formula(url, version, sums))

  // The content of folders is published in its own way, with its own checksums.
  const listed = files.filter(({ path }) => !path.includes('/'))
  const text = listed.map(({ path, sha256 }) => `${sha256}  ${path}\n`).sort()
  const content = Buffer.from(text.join(''))
  await add('SHA256SUMS', content)
  if (key) await add('SHA256SUMS.minisig', signatureOf(content, key, `beckon ${version}`))
  step('done', steps, steps)
  return files
}

// The names that a release gives, finished or not.
const OURS = /^(beckon[-_.].*|npm|python|install\.sh|SHA256SUMS(\.minisig)?)$/

/** Throws for a folder with files of others, which must not be emptied. */
function requireOurs(out: string): void {
  const other = existsSync(out) && readdirSync(out).find((name) => !OURS.test(name))
  if (!other) return
  throw new Error(`${out} has ${other} in it, which is no file of a release: name another folder.`)
}

function archives(
  target: Target,
  version: string,
  executable: Uint8Array,
  companions: Companions,
): Array<[name: string, bytes: Uint8Array]> {
  const name = `beckon-${version}-${target.name}`
  const content = [program(target.file, executable), ...companionFiles(companions)]
  if (target.os === 'win32') return [[`${name}.zip`, zip(below(name, content))]]
  const whole = tar(below(name, content))
  return [
    [`${name}.tar.gz`, gzip(whole)],
    [`${name}.tar.zst`, zstd(whole)],
  ]
}

function licencesOf({ licence, thirdParty }: Companions): Entry[] {
  return [file('LICENSE', licence), file('THIRD-PARTY-LICENSES', thirdParty)]
}

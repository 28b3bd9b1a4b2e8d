import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import pins from './base-image.json'

const CACHE_FOLDER = join(import.meta.dir, 'node_modules/.cache/debian')

/**
 * The files of Debian's C library, which is all that the executable needs, as a tar archive. The
 * package is the one whose checksum `base-image.json` has; it is fetched from `mirror` once, into `folder`.
 * Needs `dpkg-deb`. Throws an `Error` with a sentence when it cannot be had.
 */
export async function baseLayer(
  cpu: 'x64' | 'arm64',
  mirror: string,
  folder: string = CACHE_FOLDER,
): Promise<Uint8Array> {
  const { path, sha256 } = pins[cpu]
  const archivePath = join(folder, basename(path))
  if (!existsSync(archivePath)) await fetchPackage(`${mirror}/${path}`, archivePath)
  const bytes = await Bun.file(archivePath).bytes()
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    await Bun.file(archivePath).delete()
    throw new Error(`The checksum of ${basename(path)} is not the one in base-image.json.`)
  }
  if (!Bun.which('dpkg-deb')) {
    throw new Error('dpkg-deb is missing: install dpkg, or leave the image out with --no-image.')
  }
  const child = Bun.spawn(['dpkg-deb', '--fsys-tarfile', archivePath], { stdout: 'pipe' })
  const files = await new Response(child.stdout).bytes()
  if ((await child.exited) !== 0) throw new Error(`${basename(path)} cannot be unpacked.`)
  return files
}

async function fetchPackage(url: string, to: string): Promise<void> {
  const response = await fetch(url)
  if (!response.ok) {
    const hint = 'Debian has replaced it: put the new one into base-image.json.'
    throw new Error(`${url} answers ${response.status}. ${response.status === 404 ? hint : ''}`)
  }
  mkdirSync(dirname(to), { recursive: true })
  await Bun.write(`${to}.part`, await response.bytes())
  renameSync(`${to}.part`, to)
}

import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Glob } from 'bun'
import { checksumsIn } from './lockfile.ts'

/** The output of `bun build --metafile`: every file that went into the bundle. */
export type Metafile = { inputs: Record<string, unknown> }

/** A package of which a part is in the executable. */
export type Package = {
  name: string
  version: string
  /** The SPDX expression that the package states. */
  licence: string
  /** The texts of its licence and notices; empty where the package has none. */
  texts: string[]
  /** Of its archive, in hexadecimal; undefined where the lockfile has none. */
  sha512?: string | undefined
  homepage?: string
}

const IN_PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//
const LICENCE_FILE = /^(licen[cs]e|copying|notice)([-.](md|txt|mit|apache))?$/i

/**
 * The packages of a bundle, by name: those it was made from, and those of the browser scripts,
 * which the bundle holds as finished texts.
 */
export async function bundledPackages(root: string, bundle: Metafile): Promise<Package[]> {
  const paths = [...Object.keys(bundle.inputs), ...(await browserFiles(root))]
  const folders = new Set(paths.flatMap((path) => IN_PACKAGE.exec(path)?.[1] ?? []))
  const checksums = checksumsIn(join(root, 'bun.lock'))
  const packages = new Map<string, Package>()
  for (const folder of folders) {
    const one = readPackage(join(root, folder))
    const id = `${one.name}@${one.version}`
    packages.set(id, { ...one, sha512: checksums.get(id) })
  }
  return [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

/** Files that `src/platform/web/bundle-scripts.ts` bundles while the executable is built. */
async function browserFiles(root: string): Promise<string[]> {
  const scripts = [...new Glob('src/*/pages/client/*.{js,ts}').scanSync({ cwd: root })]
  const built = await Bun.build({
    entrypoints: scripts.filter((path) => !path.endsWith('.d.ts')).map((path) => join(root, path)),
    target: 'browser',
    metafile: true,
  })
  const { inputs } = built.metafile as Metafile
  return Object.keys(inputs).map((path) => relative(root, join(process.cwd(), path)))
}

function readPackage(folder: string): Package {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const licence = typeof about.license === 'string' ? about.license : about.license?.type
  if (!licence) throw new Error(`${about.name} states no licence.`)
  const files = readdirSync(folder).filter((name) => LICENCE_FILE.test(name))
  return {
    name: about.name,
    version: about.version,
    licence,
    texts: files.sort().map((name) => readFileSync(join(folder, name), 'utf8').trim()),
    ...(typeof about.homepage === 'string' ? { homepage: about.homepage } : {}),
  }
}

/** Reads Bun's licence from its documentation, which is in the package of its types. */
export function runtimeLicence(root: string): string {
  const types = realpathSync(join(root, 'node_modules/bun-types'))
  const page = join(types, 'docs/project/license.mdx')
  if (!existsSync(page)) throw new Error(`${relative(dirname(types), page)} is missing.`)
  const text = readFileSync(page, 'utf8').replace(/^---[\s\S]*?---\n/, '')
  return text.replaceAll(/ {2,}\|/g, ' |').trim()
}

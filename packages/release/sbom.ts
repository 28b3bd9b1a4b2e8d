import { createHash } from 'node:crypto'
import { join } from 'node:path'
import deprecated from 'spdx-license-ids/deprecated.json'
import ids from 'spdx-license-ids/index.json'
import about from '../../package.json'
import { checksumsIn } from './lockfile.ts'
import { type NativePart, nativeParts } from './native-parts.ts'
import { dependencies } from './package.json'
import type { Package } from './packages.ts'

/**
 * Lists the contents of the executables, as CycloneDX 1.6 in JSON. It has no time, and its serial
 * number is made of its content, so that the same release has the same text.
 */
export function sbom(packages: readonly Package[], version: string): string {
  const application = { name: about.name, version, licence: about.license }
  const bun = { name: 'bun', version: Bun.version, licence: 'MIT' }
  const runtime = { ...component(bun, 'library'), components: runtimes() }
  const native = nativeParts().map(nativeComponent)
  const libraries = [runtime, ...packages.map((one) => component(one, 'library'))]
  const refs = (all: readonly { 'bom-ref': string }[]) => all.map((one) => one['bom-ref'])
  const content = {
    version: 1,
    metadata: { component: component(application, 'application') },
    components: [...libraries, ...native],
    dependencies: [
      { ref: purl(application), dependsOn: refs(libraries) },
      { ref: purl(bun), dependsOn: refs(native) },
    ],
  }
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  return `${JSON.stringify(
    {
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      serialNumber: `urn:uuid:${uuid(hash)}`,
      ...content,
    },
    null,
    2,
  )}\n`
}

type PackageName = Pick<Package, 'name' | 'version' | 'licence' | 'sha512'>

function component(one: PackageName, type: 'application' | 'library') {
  return {
    type,
    'bom-ref': purl(one),
    name: one.name,
    version: one.version,
    ...hashesOf(one),
    licenses: [licenceOf(one.licence)],
    purl: purl(one),
  }
}

/** The builds of Bun that the executables of all targets are made with. */
function runtimes() {
  const checksums = checksumsIn(join(import.meta.dir, 'bun.lock'))
  return Object.entries(dependencies).map(([name, version]) => {
    const sha512 = checksums.get(`${name}@${version}`)
    return component({ name, version, licence: 'MIT', sha512 }, 'library')
  })
}

/** Most versions are commits, which are checksums of the sources. */
function nativeComponent({ name, version, licence, address, purl, where }: NativePart) {
  const id = version === undefined ? purl : `${purl}@${version}`
  return {
    type: 'library',
    'bom-ref': id,
    name,
    ...(version === undefined ? {} : { version }),
    ...(where === undefined ? {} : { description: where }),
    licenses: [licence ? licenceOf(licence) : { license: { name: 'several', url: address } }],
    ...(name === 'sqlite' ? { cpe: `cpe:2.3:a:sqlite:sqlite:${version}:*:*:*:*:*:*:*` } : {}),
    purl: id,
  }
}

/** Of the archive that the registry has. */
function hashesOf({ sha512 }: PackageName) {
  return sha512 ? { hashes: [{ alg: 'SHA-512', content: sha512 }] } : {}
}

function licenceOf(licence: string) {
  const isId = ids.includes(licence) || deprecated.includes(licence)
  return isId ? { license: { id: licence } } : { expression: licence }
}

/** https://github.com/package-url/purl-spec */
function purl({ name, version }: Pick<PackageName, 'name' | 'version'>): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

/** A UUID of version 8 (RFC 9562), whose bits are ours to choose. */
function uuid(hash: string): string {
  const [a, b, c, d, e] = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ]
  return [a, b, c, d, e].join('-')
}

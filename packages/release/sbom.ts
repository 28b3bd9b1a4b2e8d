import { createHash } from 'node:crypto'
import deprecated from 'spdx-license-ids/deprecated.json'
import ids from 'spdx-license-ids/index.json'
import about from '../../package.json'
import type { Package } from './packages.ts'

/**
 * What is in the executables, as CycloneDX 1.6 in JSON. It has no time, and its serial number is
 * made of its content, so that the same release has the same text.
 */
export function sbom(packages: readonly Package[], version: string): string {
  const application = { name: about.name, version, licence: about.license }
  const runtime = { name: 'bun', version: Bun.version, licence: 'MIT' }
  const components = [runtime, ...packages].map((one) => component(one, 'library'))
  const content = {
    version: 1,
    metadata: { component: component(application, 'application') },
    components,
    dependencies: [{ ref: purl(application), dependsOn: components.map((one) => one['bom-ref']) }],
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

type Named = Pick<Package, 'name' | 'version' | 'licence'> & { homepage?: string }

function component(one: Named, type: 'application' | 'library') {
  const isId = ids.includes(one.licence) || deprecated.includes(one.licence)
  return {
    type,
    'bom-ref': purl(one),
    name: one.name,
    version: one.version,
    licenses: [isId ? { license: { id: one.licence } } : { expression: one.licence }],
    purl: purl(one),
  }
}

/** https://github.com/package-url/purl-spec */
function purl({ name, version }: Named): string {
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

import { createHash } from 'node:crypto'
import entry from '../../server.json'
import { type Entry, file, folder, gzip, link, program, tar } from './archive.ts'
import type { Companions } from './companions.ts'

/** An architecture of the image. */
export type ImagePart = {
  cpu: 'x64' | 'arm64'
  executable: Uint8Array
  /** A tar archive of the files below the executable: the C library. */
  base: Uint8Array
}

type Descriptor = { mediaType: string; digest: string; size: number }

const TYPE = 'application/vnd.oci.image'
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' } as const
// The user of the Dockerfile, so that a data folder can go from one image to the other.
const USER = 10001
const SECOND = 1_000_000_000
// The health check of the Dockerfile. It is no part of the OCI format; engines without it ignore it.
const HEALTHCHECK = {
  Test: ['CMD', '/usr/bin/beckon', 'health'],
  Interval: 30 * SECOND,
  Timeout: 10 * SECOND,
  StartPeriod: 10 * SECOND,
  Retries: 3,
}
const CREATED = '1980-01-01T00:00:00Z'

/** An image for several architectures, as an archive of the OCI image layout 1.0. */
export function imageArchive(
  parts: readonly ImagePart[],
  version: string,
  more: Pick<Companions, 'licence' | 'thirdParty'>,
): Uint8Array {
  const blobs = new Map<string, Uint8Array>()
  const put = (mediaType: string, content: Uint8Array | object): Descriptor => {
    const bytes = content instanceof Uint8Array ? content : Buffer.from(JSON.stringify(content))
    const hash = createHash('sha256').update(bytes).digest('hex')
    blobs.set(hash, bytes)
    return { mediaType, digest: `sha256:${hash}`, size: bytes.length }
  }
  const manifests = parts.map((part) => {
    const layers = [tar(skeleton()), part.base, tar(content(part.executable, more))]
    const manifest = put(`${TYPE}.manifest.v1+json`, {
      schemaVersion: 2,
      mediaType: `${TYPE}.manifest.v1+json`,
      config: put(`${TYPE}.config.v1+json`, config(part.cpu, version, layers)),
      layers: layers.map((layer) => put(`${TYPE}.layer.v1.tar+gzip`, gzip(layer))),
    })
    return { ...manifest, platform: { os: 'linux', architecture: ARCHITECTURES[part.cpu] } }
  })
  const index = put(`${TYPE}.index.v1+json`, {
    schemaVersion: 2,
    mediaType: `${TYPE}.index.v1+json`,
    manifests,
  })
  const taggedIndex = { ...index, annotations: { 'org.opencontainers.image.ref.name': version } }
  return tar([
    file('oci-layout', JSON.stringify({ imageLayoutVersion: '1.0.0' })),
    file('index.json', JSON.stringify({ schemaVersion: 2, manifests: [taggedIndex] })),
    folder('blobs'),
    folder('blobs/sha256'),
    ...[...blobs].sort().map(([hash, bytes]) => file(`blobs/sha256/${hash}`, bytes)),
  ])
}

function config(cpu: ImagePart['cpu'], version: string, layers: readonly Uint8Array[]) {
  const digest = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  return {
    created: CREATED,
    architecture: ARCHITECTURES[cpu],
    os: 'linux',
    config: {
      User: `${USER}:${USER}`,
      // A container is reached from outside it; who may reach it is the engine's to say.
      Env: ['PATH=/usr/bin', 'BECKON_HOST=0.0.0.0', 'BECKON_PORT=8484', 'BECKON_DATA=/data'],
      Entrypoint: ['/usr/bin/beckon'],
      Cmd: ['serve'],
      Healthcheck: HEALTHCHECK,
      ExposedPorts: { '8484/tcp': {} },
      Volumes: { '/data': {} },
      WorkingDir: '/data',
      StopSignal: 'SIGTERM',
      Labels: {
        'org.opencontainers.image.title': 'Beckon',
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.licenses': 'MIT',
        // Shows the MCP registry that the image belongs to the entry.
        'io.modelcontextprotocol.server.name': entry.name,
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(digest) },
  }
}

/**
 * The entries of a system before its first package: Debian's merged folders, a user, a place for
 * files.
 */
function skeleton(): Entry[] {
  return [
    folder('etc'),
    file(
      'etc/passwd',
      `root:x:0:0::/root:/sbin/nologin\nbeckon:x:${USER}:${USER}::/data:/sbin/nologin\n`,
    ),
    file('etc/group', `root:x:0:\nbeckon:x:${USER}:\n`),
    file('etc/nsswitch.conf', 'hosts: files dns\n'),
    folder('tmp', 0o1777),
    folder('usr'),
    ...['bin', 'lib', 'lib64'].flatMap((name) => [
      folder(`usr/${name}`),
      link(name, `usr/${name}`),
    ]),
  ]
}

function content(
  executable: Uint8Array,
  more: Pick<Companions, 'licence' | 'thirdParty'>,
): Entry[] {
  return [
    folder('data', 0o700, USER),
    program('usr/bin/beckon', executable),
    file('usr/share/doc/beckon/LICENSE', more.licence),
    file('usr/share/doc/beckon/THIRD-PARTY-LICENSES', more.thirdParty),
  ]
}

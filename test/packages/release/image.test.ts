import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { file, tar } from '../../../packages/release/archive.ts'
import pins from '../../../packages/release/base-image.json'
import { baseLayer } from '../../../packages/release/base-layer.ts'
import { type ImagePart, imageArchive } from '../../../packages/release/image.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const TEXTS = { licence: 'licence', thirdParty: 'others' }
const part = (cpu: ImagePart['cpu']): ImagePart => ({
  cpu,
  executable: Buffer.from(`#!/bin/sh\necho ${cpu}\n`),
  base: tar([file('./usr/lib/libc.so.6', `libc of ${cpu}`)]),
})
const image = imageArchive([part('x64'), part('arm64')], '1.2.3', TEXTS)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

type Descriptor = { digest: string; size: number; mediaType: string }

test('every blob is what its descriptor says, down to the files of each architecture', async () => {
  const files = await new Bun.Archive(image).files()
  const bytesOf = async ({ digest, size }: Descriptor) => {
    const bytes = await files.get(`blobs/${digest.replace(':', '/')}`)?.bytes()
    if (!bytes) throw new Error(`${digest} is missing`)
    expect([`sha256:${sha256(bytes)}`, bytes.length]).toEqual([digest, size])
    return bytes
  }
  const read = async (one: Descriptor) => JSON.parse(Buffer.from(await bytesOf(one)).toString())
  expect(JSON.parse((await files.get('oci-layout')?.text()) ?? '')).toEqual({
    imageLayoutVersion: '1.0.0',
  })
  const top = JSON.parse((await files.get('index.json')?.text()) ?? '')
  expect(top.manifests).toHaveLength(1)
  const index = await read(top.manifests[0])
  const platforms = index.manifests.map((one: { platform: object }) => one.platform)
  expect(platforms).toEqual([
    { os: 'linux', architecture: 'amd64' },
    { os: 'linux', architecture: 'arm64' },
  ])
  for (const described of index.manifests) {
    const manifest = await read(described)
    const config = await read(manifest.config)
    expect(config.architecture).toBe(described.platform.architecture)
    expect(config.config.Healthcheck.Test).toEqual(['CMD', '/usr/bin/beckon', 'health'])
    const files = new Map<string, string>()
    for (const [i, layer] of manifest.layers.entries()) {
      const plain = Bun.gunzipSync(new Uint8Array(await bytesOf(layer)))
      expect(config.rootfs.diff_ids[i]).toBe(`sha256:${sha256(plain)}`)
      for (const [path, one] of await new Bun.Archive(plain).files()) {
        files.set(path.replace(/^\.\//, ''), await one.text())
      }
    }
    const cpu = config.architecture === 'amd64' ? 'x64' : 'arm64'
    expect(files.get('usr/bin/beckon')).toContain(`echo ${cpu}`)
    expect(files.get('usr/lib/libc.so.6')).toBe(`libc of ${cpu}`)
    expect(files.get('etc/passwd')).toContain(`beckon:x:${config.config.User}:`)
  }
})

test('the same image is the same bytes', () => {
  const again = imageArchive([part('x64'), part('arm64')], '1.2.3', TEXTS)
  expect(sha256(again)).toBe(sha256(image))
})

const SKOPEO = Bun.which('skopeo')

test.skipIf(!SKOPEO)('skopeo reads both architectures', () => {
  using work = tempFolder()
  writeFileSync(join(work.path, 'image.tar'), image)
  for (const architecture of ['amd64', 'arm64']) {
    const result = Bun.spawnSync(
      ['skopeo', `--override-arch=${architecture}`, 'inspect', 'oci-archive:image.tar'],
      { cwd: work.path },
    )
    expect([result.exitCode, result.stderr.toString()]).toEqual([0, ''])
    expect(JSON.parse(result.stdout.toString())).toMatchObject({
      Architecture: architecture,
      Labels: { 'org.opencontainers.image.version': '1.2.3' },
    })
  }
})

test('a package of the base that is not the pinned one is refused', async () => {
  expect(pins.x64.path.replace('amd64', 'arm64')).toBe(pins.arm64.path)
  const server = Bun.serve({
    port: 0,
    fetch: (request) =>
      new URL(request.url).pathname.startsWith('/gone/')
        ? new Response('', { status: 404 })
        : new Response('something else'),
  })
  using work = tempFolder()
  try {
    const from = (path: string) => `http://127.0.0.1:${server.port}/${path}`
    await expect(baseLayer('x64', from('gone'), work.path)).rejects.toThrow('replaced it')
    await expect(baseLayer('x64', from('other'), work.path)).rejects.toThrow('The checksum of')
    expect([...new Bun.Glob('*').scanSync(work.path)]).toEqual([])
  } finally {
    server.stop(true)
  }
})

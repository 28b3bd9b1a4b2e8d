import { createHash } from 'node:crypto'

/** A registry of container images, as far as pushing needs it (OCI distribution 1.1). */
export function imageRegistry() {
  const blobs = new Map<string, Uint8Array>()
  const manifests = new Map<string, { type: string; bytes: Uint8Array }>()
  const digestOf = (bytes: Uint8Array) =>
    `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  let upload = Buffer.alloc(0)
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    maxRequestBodySize: 1e9,
    async fetch(request): Promise<Response> {
      const url = new URL(request.url)
      const path = url.pathname.replace(/^\/v2\//, '')
      const [kind, name] = path.split('/').slice(-2)
      const { method } = request
      if (path === '') return new Response('{}')
      if (method === 'POST') {
        upload = Buffer.alloc(0)
        return new Response('', { status: 202, headers: { location: `${url.pathname}one` } })
      }
      const bytes = await request.bytes()
      if (kind === 'uploads') {
        upload = Buffer.concat([upload, bytes])
        const digest = url.searchParams.get('digest')
        if (method === 'PATCH' || !digest) {
          return new Response('', { status: 202, headers: { location: url.pathname } })
        }
        if (digestOf(upload) !== digest) return new Response('', { status: 400 })
        blobs.set(digest, upload)
        return new Response('', { status: 201, headers: { location: url.pathname } })
      }
      if (kind === 'manifests' && method === 'PUT') {
        const type = request.headers.get('content-type') ?? ''
        manifests.set(String(name), { type, bytes })
        manifests.set(digestOf(bytes), { type, bytes })
        return new Response('', { status: 201 })
      }
      return new Response('', { status: blobs.has(String(name)) && kind === 'blobs' ? 200 : 404 })
    },
  })
  return {
    host: `127.0.0.1:${server.port}`,
    manifest: (name: string) => manifests.get(name),
    blobs: () => blobs.size,
    [Symbol.dispose]: () => void server.stop(true),
  }
}

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Held = { bytes: Uint8Array; content: { name: string; version: string } }
type Published = {
  versions: Record<string, Held['content']>
  _attachments: Record<string, { data: string }>
}

/** An npm registry that has the packages of a folder, and those that are published to it. */
export async function npmRegistry(folder?: string) {
  const packages = new Map<string, Held>()
  const puts: string[] = []
  for (const file of folder ? readdirSync(folder) : []) {
    const bytes = readFileSync(join(String(folder), file))
    const files = await new Bun.Archive(bytes).files()
    const content = JSON.parse((await files.get('package/package.json')?.text()) ?? '')
    packages.set(content.name, { bytes, content })
  }
  async function publish(name: string, request: Request): Promise<Response> {
    const { versions, _attachments } = (await request.json()) as Published
    const [content] = Object.values(versions)
    const [attached] = Object.values(_attachments)
    if (!content || !attached) return Response.json({ error: 'incomplete' }, { status: 400 })
    puts.push(name)
    packages.set(name, { bytes: Buffer.from(attached.data, 'base64'), content })
    return Response.json({ ok: true }, { status: 201 })
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request): Promise<Response> {
      const path = decodeURIComponent(new URL(request.url).pathname.slice(1))
      const name = path.replace(/\.tgz$/, '')
      if (request.method === 'PUT') return publish(name, request)
      const entry = packages.get(name)
      if (!entry) return Response.json({ error: 'not found' }, { status: 404 })
      const { bytes, content } = entry
      if (path !== name) return new Response(new Uint8Array(bytes))
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
      const dist = { tarball: new URL(`/${name}.tgz`, request.url).href, integrity }
      const { version } = content
      const versions = { [version]: { ...content, dist } }
      return Response.json({ name, 'dist-tags': { latest: version }, versions })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    /** The names of its packages, in the order in which they came. */
    names: () => [...packages.keys()],
    /** The name of each package that was published, in that order. */
    puts: () => puts,
    [Symbol.dispose]: () => void server.stop(true),
  }
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FIXTURES = join(import.meta.dir, '../../../fixtures/catalog/npm')

type Answer = Response | ((request: Request) => Response | Promise<Response>)

/** A registry of packages on a port of its own; `answers` by path, `asked` has what came. */
export function startRegistry(answers: Record<string, Answer> = {}) {
  const requests: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      requests.push(pathname + search)
      const answer = answers[pathname]
      if (answer === undefined) return Response.json({ error: 'not_found' }, { status: 404 })
      return typeof answer === 'function' ? await answer(request) : answer.clone()
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    [Symbol.asyncDispose]: async () => await server.stop(true),
  }
}

/** A real packument, by the name of its file. */
export function packument(file: string): Response {
  return new Response(readFileSync(join(FIXTURES, `${file}.json`)))
}

/** A small one, made of a manifest. */
export function packumentOf(name: string, manifest: object, more: object = {}): Response {
  return Response.json({
    name,
    'dist-tags': { latest: '1.0.0' },
    versions: { '1.0.0': { name, version: '1.0.0', ...manifest } },
    time: { created: '2020-01-02T03:04:05.678Z', '1.0.0': '2021-02-03T00:00:00.000Z' },
    ...more,
  })
}

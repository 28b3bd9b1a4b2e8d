import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../support/until.ts'

const PLACES = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx']

/** nginx before a folder that was exported, with the configuration of docs/catalog/mirrors.md. */
export async function nginxServer(
  work: string,
  root: string,
): Promise<AsyncDisposable & { url: string }> {
  const program = PLACES.find((path) => existsSync(path)) ?? Bun.which('nginx')
  if (!program) throw new Error('this test needs nginx: apt-get install nginx-light')
  const page = await Bun.file(join(import.meta.dir, '../../../docs/catalog/mirrors.md')).text()
  const [, server = ''] = /```nginx\n([\s\S]*?)```/.exec(page) ?? []
  const port = freePort()
  mkdirSync(join(work, 'temp'), { recursive: true })
  writeFileSync(join(work, 'nginx.conf'), configuration(work, server, root, port))
  const child = Bun.spawn([program, '-e', 'stderr', '-c', join(work, 'nginx.conf'), '-p', work], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const url = `http://127.0.0.1:${port}`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(await new Response(child.stderr).text())
    return await fetch(`${url}/robots.txt`).then(
      () => true,
      () => false,
    )
  })
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}

function configuration(work: string, server: string, root: string, port: number): string {
  const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(work, 'temp', name)};`,
  )
  const here = server
    .replace(/listen .*;/, `listen 127.0.0.1:${port};`)
    .replaceAll('/srv/catalog', root)
  return `daemon off;
master_process off;
pid ${join(work, 'nginx.pid')};
error_log stderr warn;
events {}
http {
access_log off;
${temps.join('\n')}
${here}
}
`
}

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port = 0 } = server
  server.stop(true)
  return port
}

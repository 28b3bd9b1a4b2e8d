import { join } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import { type Fronted, startNginx } from '../../support/proxies.ts'

/** nginx before a folder that was exported, with the configuration of docs/catalog/mirrors.md. */
export async function nginxServer(work: string, root: string): Promise<Fronted> {
  const page = await Bun.file(join(import.meta.dir, '../../../docs/catalog/mirrors.md')).text()
  const [, example = ''] = /```nginx\n([\s\S]*?)```/.exec(page) ?? []
  const port = freePort()
  const server = example
    .replace(/listen .*;/, `listen 127.0.0.1:${port};`)
    .replaceAll('/srv/catalog', root)
  return startNginx(server, port, work)
}

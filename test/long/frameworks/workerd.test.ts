import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import table from '../../../packages/cases/servers.json'
import { standIn } from '../../packages/stand-in.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const WORKERD = join(import.meta.dir, 'node_modules/.bin/workerd')

// Port 0 is told on the control pipe.
const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [
        (name = "main.js", esModule = "import { answer } from 'worker.js'; export default { fetch: answer }"),
        (name = "worker.js", esModule = embed "worker.js"),
      ],
      compatibilityDate = "2024-09-01",
      globalOutbound = "local",
    )),
    (name = "local", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);`

test.skipIf(!existsSync(WORKERD))(
  'in a worker, servers that do something wrong end as they do elsewhere',
  async () => {
    using folder = tempFolder()
    using server = standIn()
    const entrypoints = [join(import.meta.dir, 'workerd-run.ts')]
    await Bun.build({ entrypoints, outdir: folder.path, naming: 'worker.js', format: 'esm' })
    await Bun.write(join(folder.path, 'config.capnp'), CONFIG)
    const command = [WORKERD, 'serve', '--control-fd=1', join(folder.path, 'config.capnp')]
    const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' })
    try {
      let output = ''
      const reader = child.stdout.getReader()
      while (!output.includes('\n')) output += new TextDecoder().decode((await reader.read()).value)
      const { port } = JSON.parse(output.split('\n')[0] ?? '')
      for (const { name, status } of table.cases.filter((one) => !('slow' in one))) {
        const to = encodeURIComponent(server.urlOf(name))
        const reply = await fetch(`http://127.0.0.1:${port}/?to=${to}`)
        expect({ name, status: ((await reply.json()) as { status: string }).status }).toEqual({
          name,
          status,
        })
      }
    } finally {
      child.kill()
      await child.exited
    }
  },
  120_000,
)

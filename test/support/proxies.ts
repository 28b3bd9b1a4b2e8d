import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

export type Fronted = AsyncDisposable & { url: string }

const OPS = join(import.meta.dir, '../../docs/ops')
const NGINX = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx']

/** nginx as docs/ops/nginx.conf has it, before `target`; without https, for which there is no name here. */
export async function nginxBefore(target: string, work: string): Promise<Fronted> {
  const port = freePort()
  const example = await Bun.file(join(OPS, 'nginx.conf')).text()
  const server = example
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace(/ *ssl_certificate.*\n/g, '')
    .replace('http://127.0.0.1:8484', target)
  return startNginx(server, port, work)
}

/** nginx with these `server` blocks, which listen on `port`, and everything it keeps in `work`. */
export function startNginx(server: string, port: number, work: string): Promise<Fronted> {
  return started(nginxCommand(server, work, 'master_process off;'), port, work)
}

/** As `startNginx`, with the processes that it has in service, so that it can be reloaded. */
export async function startReloadableNginx(server: string, port: number, work: string) {
  // Else its workers are nobody, who may not look into the folder.
  const more = userInfo().uid === 0 ? 'user root;' : ''
  const proxy = await started(nginxCommand(server, work, more), port, work)
  return {
    ...proxy,
    /** `nginx -s reload` with other `server` blocks. */
    async reload(next: string): Promise<void> {
      const child = Bun.spawn([...nginxCommand(next, work, more), '-s', 'reload'], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      const errors = await new Response(child.stderr).text()
      if ((await child.exited) !== 0) throw new Error(errors)
    },
  }
}

function nginxCommand(server: string, work: string, more: string): string[] {
  const program = NGINX.find((path) => existsSync(path)) ?? Bun.which('nginx')
  if (!program) throw new Error('this test needs nginx: apt-get install nginx-light')
  mkdirSync(join(work, 'temp'), { recursive: true })
  const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(work, 'temp', name)};`,
  )
  const file = join(work, 'nginx.conf')
  const top = `daemon off;\n${more}\npid ${work}/pid;\nerror_log stderr warn;\nevents {}\n`
  writeFileSync(file, `${top}http {\naccess_log off;\n${temps.join('\n')}\n${server}}\n`)
  return [program, '-e', 'stderr', '-c', file, '-p', work]
}

export const CADDY = Bun.which('caddy')

/** Caddy as docs/ops/Caddyfile has it, before `target`, without https. */
export function caddyBefore(target: string, work: string): Promise<Fronted> {
  return startCaddy('Caddyfile', '127.0.0.1:8484', [target], work)
}

/** Caddy as docs/ops/Caddyfile.postgres has it, before two servers, without https. */
export function caddyBeforeTwo(targets: [string, string], work: string): Promise<Fronted> {
  return startCaddy('Caddyfile.postgres', 'beckon-1:8484 beckon-2:8484', targets, work)
}

/** Caddy with one of our files, whose `named` servers are these instead. */
async function startCaddy(name: string, placeholder: string, targets: string[], work: string) {
  const port = freePort()
  const example = await Bun.file(join(OPS, name)).text()
  const site = example
    .replace(/^beckon\.example\.com \{/m, `http://127.0.0.1:${port} {`)
    .replace(placeholder, targets.map((url) => new URL(url).host).join(' '))
  const file = join(work, 'Caddyfile')
  writeFileSync(file, `{\n\tadmin off\n}\n${site}`)
  return started([CADDY ?? 'caddy', 'run', '--config', file, '--adapter', 'caddyfile'], port, work)
}

async function started(command: string[], port: number, work: string): Promise<Fronted> {
  const child = Bun.spawn(command, {
    env: { ...process.env, HOME: work, XDG_DATA_HOME: work, XDG_CONFIG_HOME: work },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const url = `http://127.0.0.1:${port}`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(await new Response(child.stderr).text())
    // While what stands behind it is away, a proxy says 502.
    return await fetch(`${url}/robots.txt`).then(
      ({ status }) => status < 500,
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

// The stand-in of systemctl, launchctl and schtasks: see service-stand-in.ts.
import { appendFileSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MANAGERS } from '../../src/cli/service/managers.ts'

const [folder = '', name = '', ...args] = process.argv.slice(2)
const call = [name, ...args].join(' ')
const pidFile = join(folder, 'pid')
const enabledFile = join(folder, 'enabled')

function text(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
}

function end(code: number, out = ''): never {
  if (out) console.log(out)
  process.exit(code)
}

function pid(): number | undefined {
  const value = Number(text(pidFile))
  if (!value) return undefined
  try {
    process.kill(value, 0)
  } catch {
    return undefined
  }
  // It is nobody's child any more, and what collects such processes may take a second to.
  const state = text(`/proc/${value}/stat`).replace(/^.*\) /s, '')
  return state.startsWith('Z') ? undefined : value
}

async function stop(): Promise<void> {
  const running = pid()
  if (running === undefined) return
  process.kill(running, 'SIGTERM')
  for (let tries = 0; pid() !== undefined && tries < 200; tries++) await Bun.sleep(50)
  rmSync(pidFile, { force: true })
}

function start(file: string): void {
  if (pid() !== undefined) return
  const manager = MANAGERS.find(({ file: _, ...one }: { file?: string } & (typeof MANAGERS)[0]) =>
    one.commandOf(readFileSync(file, 'utf8')),
  )
  const words = manager?.commandOf(readFileSync(file, 'utf8')) ?? []
  const settings = /^EnvironmentFile=-(.*)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
  const log = openSync(join(folder, 'log'), 'a')
  const inherited = Object.entries(process.env).filter(([key]) => !key.startsWith('BECKON_'))
  const child = Bun.spawn(words, {
    env: { ...Object.fromEntries(inherited), ...variablesIn(settings) },
    stdin: 'ignore',
    stdout: log,
    stderr: log,
    detached: true,
  })
  child.unref()
  writeFileSync(pidFile, String(child.pid))
}

/** Of a file with a line for each. */
function variablesIn(file: string): Record<string, string> {
  const path = file.replace('%E', join(folder, 'home/.config'))
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  return Object.fromEntries(lines.filter(Boolean).map((line) => line.split(/=(.*)/s, 2)))
}

/** The file of the service, where the managers put it. */
function unit(): string {
  const home = join(folder, 'home')
  const paths = [
    text(join(folder, 'unit')),
    join(home, '.config/systemd/user/beckon.service'),
    join(home, 'Library/LaunchAgents/beckon.serve.plist'),
  ]
  return paths.find((file) => file !== '' && existsSync(file)) ?? ''
}

async function systemctl(words: string[]): Promise<never> {
  const [verb = ''] = words
  if (verb === 'is-system-running') end(0, 'running')
  if (verb === 'show') {
    const file = unit()
    const there = file !== '' && existsSync(file)
    end(
      0,
      [
        `LoadState=${there ? 'loaded' : 'not-found'}`,
        `FragmentPath=${there ? file : ''}`,
        `UnitFileState=${there && existsSync(enabledFile) ? 'enabled' : ''}`,
        `ActiveState=${pid() ? 'active' : 'inactive'}`,
        `SubState=${pid() ? 'running' : 'dead'}`,
        `MainPID=${pid() ?? 0}`,
        `ExecMainStartTimestamp=${pid() ? 'Mon 2026-11-23 06:30:00 UTC' : ''}`,
      ].join('\n'),
    )
  }
  if (verb === 'enable') {
    writeFileSync(enabledFile, '')
    start(unit())
  }
  if (verb === 'disable' || verb === 'stop') {
    rmSync(enabledFile, { force: true })
    await stop()
  }
  if (verb === 'restart') {
    await stop()
    start(unit())
  }
  end(0)
}

async function launchctl([verb = '', , file = '']: string[]): Promise<never> {
  if (verb === 'print') {
    if (!args[1]?.includes('/beckon')) end(0, 'gui')
    if (!existsSync(enabledFile)) end(113, 'Could not find service')
    end(0, `\tpath = ${unit()}\n\tstate = running\n${pid() ? `\tpid = ${pid()}\n` : ''}`)
  }
  if (verb === 'bootstrap') {
    writeFileSync(enabledFile, '')
    start(file)
  }
  if (verb === 'bootout') {
    rmSync(enabledFile, { force: true })
    await stop()
  }
  if (verb === 'kickstart') {
    await stop()
    start(unit())
  }
  end(0)
}

appendFileSync(join(folder, 'calls'), `${call}\n`)
const fails = text(join(folder, 'fail'))
if (fails && new RegExp(fails).test(call)) {
  console.error('Access denied by the stand-in.')
  process.exit(1)
}
const says = join(folder, `${name}.says`)
if (existsSync(says)) end(0, readFileSync(says, 'utf8').trimEnd())
if (name === 'systemctl') await systemctl(args.filter((word) => word !== '--user'))
if (name === 'launchctl') await launchctl(args)
if (name === 'journalctl') end(0, text(join(folder, 'log')))
end(0)

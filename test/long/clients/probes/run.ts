import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { BUILT } from '../../../support/program.ts'
import { claude } from '../claude.ts'
import { cline } from '../cline.ts'
import { codex } from '../codex.ts'
import type { Driver } from '../driver.ts'
import { droid } from '../droid.ts'
import { gemini } from '../gemini.ts'
import { INSTALLED } from '../installed.ts'
import { opencode } from '../opencode.ts'
import { drive, type Outcome, type Result } from './drive.ts'
import type { Probe } from './effects.ts'

// Each probe of the files is a command that a real client runs under a scope. All of it happens in a
// sandbox without a network, whose home and temporary folders are in memory. `--open` proposes no
// scope: what a probe does then is what it could do.

const DRIVERS: Driver[] = [claude, codex, opencode, gemini, cline, droid]
const HOME = '/home/ada'
const OUTCOMES: Outcome[] = ['silent', 'noticed', 'asked', 'stopped', 'not run']

const args = process.argv.slice(2)
const flags = args.filter((arg) => arg.startsWith('--'))
const [name, ...files] = args.filter((arg) => !arg.startsWith('--'))
const driver = DRIVERS.find((one) => one.name === name)
if (!driver || files.length === 0) {
  console.error(
    'bun test/long/clients/probes/run.ts CLIENT FILE… [--open] [--no-namespaces] [--only=CLASS]',
  )
  process.exit(2)
}
if (process.env.TMPDIR === HOME) await inside(driver)
else process.exit(await sandbox())

/** This program again, where what a probe does reaches nothing. */
async function sandbox(): Promise<number> {
  const program = process.env.BINARY ?? BUILT
  const shared = [INSTALLED, ...files, ...(program ? [program] : [])].map((path) => resolve(path))
  const apart = [
    '--unshare-user',
    '--unshare-net',
    '--unshare-pid',
    '--unshare-ipc',
    '--die-with-parent',
  ]
  const user = [
    '--uid',
    '1000',
    '--gid',
    '1000',
    ...(flags.includes('--no-namespaces') ? ['--disable-userns'] : []),
  ]
  const folders = ['/tmp', '/var/tmp', '/home', '/run'].flatMap((path) => ['--tmpfs', path])
  const bound = shared.filter(existsSync).flatMap((path) => ['--ro-bind', path, path])
  const child = Bun.spawn(
    [
      ...[
        'bwrap',
        ...apart,
        ...user,
        '--ro-bind',
        '/',
        '/',
        '--dev',
        '/dev',
        '--proc',
        '/proc',
        ...folders,
      ],
      ...[
        '--dir',
        HOME,
        ...bound,
        '--setenv',
        'TMPDIR',
        HOME,
        '--setenv',
        'BECKON_CLIENTS',
        resolve(INSTALLED),
      ],
      ...['--chdir', process.cwd(), '--', process.execPath, import.meta.filename, String(name)],
      ...[...files.map((path) => resolve(path)), ...flags],
    ],
    { stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' },
  )
  return await child.exited
}

async function inside(client: Driver): Promise<void> {
  const only = flags.find((flag) => flag.startsWith('--only='))?.slice(7)
  const all = files.flatMap((path) => JSON.parse(readFileSync(path, 'utf8')) as Probe[])
  const probes = all.filter((one) => only === undefined || one.class === only || one.name === only)
  const binary = join(INSTALLED, client.name, 'node_modules/.bin', client.name)
  if (!existsSync(binary)) throw new Error(`${client.name} is not installed in ${dirname(binary)}`)
  const results = await drive(client, binary, { probes, isScoped: !flags.includes('--open') })
  for (const { probe, outcome, detail } of results)
    console.log([outcome, probe.class, probe.name, detail.replace(/\s+/g, ' ')].join('\t'))
  printTable(results)
}

function printTable(results: readonly Result[]): void {
  console.log(`\n| class | ${OUTCOMES.join(' | ')} |\n|---|${'---|'.repeat(OUTCOMES.length)}`)
  for (const [kind, rows] of [
    ...Map.groupBy(results, ({ probe }) => probe.class),
    ['all', results] as const,
  ]) {
    const count = (outcome: Outcome) => rows.filter((row) => row.outcome === outcome).length
    console.log(`| ${kind} | ${OUTCOMES.map(count).join(' | ')} |`)
  }
}

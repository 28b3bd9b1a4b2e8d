import { chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '../../../support/temp-folder.ts'

/** One program that a shell really started: its name, then its words. */
export type RealCall = string[]

// Each is a stub that logs its words; some start another program, as the real one does.
const NAMES =
  'git npm npx docker kubectl rm cp mv ls cat grep wc head tail sort tee touch mkdir chmod curl make node python3 go cargo jq cut tr sed awk rg sleep date seq basename dirname nosuch'
const STARTERS = ['env', 'nice', 'nohup', 'xargs', 'find', 'sh', 'bash', 'timeout']
const HOME = '/home/u'

const LOG = `printf '%s\\0' "$#" "\${0##*/}" "$@" >> "$CALLS"`
const STUB = `#!/bin/dash\n${LOG}\nexit "\${STATUS:-0}"\n`
const FINDER = `#!/bin/dash\n${LOG}\n`

/** Whether this machine can run unknown texts safely: without network, with no host folder to write. */
export const canSandbox =
  Bun.which('bwrap') !== null &&
  Bun.spawnSync(['bwrap', '--ro-bind', '/', '/', '--unshare-all', 'true']).exitCode === 0

/**
 * Runs each text in a shell of its own inside a sandbox without network, in an empty folder in
 * memory, where every program is a stub. Answers which programs each text started.
 */
export function runTexts(shell: string, texts: readonly string[], status: 0 | 1): RealCall[][] {
  using folder = tempFolder()
  const root = realpathSync(folder.path)
  const [bin, input] = [join(root, 'bin'), join(root, 'in')]
  for (const path of [bin, input]) mkdirSync(path)
  for (const name of NAMES.split(' ')) addProgram(join(bin, name), STUB)
  for (const name of STARTERS) addProgram(join(bin, name), `${FINDER}exec /usr/bin/${name} "$@"\n`)
  for (const [at, text] of texts.entries()) writeFileSync(join(input, `${at}`), text)
  writeFileSync(
    join(input, 'run'),
    `n=0
while [ $n -lt ${texts.length} ]; do
  /usr/bin/rm -rf /w/d; /usr/bin/mkdir -p /w/d/src /w/d/scripts; cd /w/d
  : > x.log; : > src/a.ts; : > src/b.ts
  CALLS=/w/calls.$n; export CALLS; : > $CALLS
  /usr/bin/timeout 5 ${shell} ${shell.endsWith('zsh') ? '-f' : ''} -c "$(/usr/bin/cat /in/$n)" </dev/null >/dev/null 2>&1
  n=$((n+1))
done
cd /w; for f in calls.*; do printf '%s\\n' "$f"; /usr/bin/base64 -w0 "$f"; echo; done
`,
  )
  const child = Bun.spawnSync(
    [
      ...['bwrap', '--unshare-all', '--die-with-parent', '--clearenv'],
      ...[
        '--ro-bind',
        '/usr',
        '/usr',
        '--symlink',
        'usr/bin',
        '/bin',
        '--symlink',
        'usr/lib',
        '/lib',
      ],
      ...[
        '--symlink',
        'usr/lib64',
        '/lib64',
        '--proc',
        '/proc',
        '--dev',
        '/dev',
        '--tmpfs',
        '/tmp',
      ],
      ...['--tmpfs', '/w', '--dir', HOME, '--ro-bind', bin, '/stubs', '--ro-bind', input, '/in'],
      ...[
        '--setenv',
        'PATH',
        '/stubs',
        '--setenv',
        'HOME',
        HOME,
        '--setenv',
        'STATUS',
        `${status}`,
      ],
      ...['/usr/bin/dash', '/in/run'],
    ],
    { stderr: 'pipe' },
  )
  if (child.exitCode !== 0) throw new Error(`The sandbox failed: ${child.stderr.toString()}`)
  return readLogs(child.stdout.toString(), texts.length)
}

function addProgram(path: string, text: string): void {
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}

function readLogs(output: string, count: number): RealCall[][] {
  const all: RealCall[][] = Array.from({ length: count }, () => [])
  const lines = output.split('\n')
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const index = Number(lines[at]?.slice('calls.'.length))
    const fields = Buffer.from(lines[at + 1] ?? '', 'base64')
      .toString()
      .split('\0')
    for (let from = 0; from + 1 < fields.length; ) {
      const words = Number(fields[from]) + 1
      all[index]?.push(fields.slice(from + 1, from + 1 + words))
      from += 1 + words
    }
  }
  return all
}

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setupPlace } from '../../../src/agent/client-files/client-setup.ts'
import { shellStarter } from '../../../src/agent/client-files/entries.ts'
import { hookWorld, NOTHING, SESSION } from '../../support/hook-world.ts'
import { runCommand } from '../../support/run-command.ts'
import { until } from '../../support/until.ts'
import { whyNot } from './jail-world.ts'

const why = whyNot()
const MAIN = join(import.meta.dir, '../../../src/main.ts')

/** Whether this system allows mount namespaces to whom it runs as. */
function mounts(): boolean {
  const own = process.geteuid?.() === 0 ? [] : ['--map-root-user']
  return Bun.spawnSync(['unshare', ...own, '--mount', 'true']).exitCode === 0
}

/** Everything is where it was, and no further user namespace can be made. */
const WITHOUT_NAMESPACES = [
  ...['bwrap', '--dev-bind', '/', '/', '--unshare-user', '--disable-userns'],
  ...['--cap-drop', 'ALL', '--bind', '/proc', '/proc'],
]

/** The same files below another root, in which nobody may make a user namespace. */
const CHROOT = [
  ...['unshare', '--map-root-user', '--mount', 'sh', '-c'],
  `mount -t tmpfs none /mnt && mkdir /mnt/root
  for one in /*; do
    if [ "$one" = /mnt ]; then continue
    elif [ -L "$one" ]; then cp -P "$one" /mnt/root/
    elif [ -d "$one" ]; then mkdir "/mnt/root$one"; mount --rbind "$one" "/mnt/root$one"
    fi
  done
  where=$PWD exec chroot /mnt/root sh -c 'cd "$where" && exec "$@"' sh "$@"`,
  'sh',
]
const MAY_NOT_MOUNT = ['setpriv', '--bounding-set', '-sys_admin', '--inh-caps', '-sys_admin']

// Landlock's calls have the same numbers on every machine.
const LANDLOCK = [444, 445, 446]

/** A filter of seccomp for which these calls do not exist, as in containers of an older engine. */
function filterWithout(calls: readonly number[]): Uint8Array {
  const [LOAD, JUMP, RETURN] = [0x20, 0x15, 0x06]
  const [ALLOW, NO_SUCH_CALL] = [0x7fff0000, 0x50000 + 38]
  const steps = [
    [LOAD, 0, 0],
    ...calls.map((call, at) => [JUMP, calls.length - at, call]),
    [RETURN, 0, ALLOW],
    [RETURN, 0, NO_SUCH_CALL],
  ]
  const bytes = Buffer.alloc(steps.length * 8)
  for (const [at, [code = 0, yes = 0, value = 0]] of steps.entries()) {
    bytes.writeUInt16LE(code, at * 8)
    bytes.writeUInt8(yes, at * 8 + 2)
    bytes.writeUInt32LE(value, at * 8 + 4)
  }
  return bytes
}

function starts(around: readonly string[]): boolean {
  const [program = ''] = around
  return Bun.which(program) !== null && Bun.spawnSync([...around, 'true']).exitCode === 0
}

describe.skipIf(why !== undefined)(
  `commands of a session${why ? ` (skipped: ${why})` : ''}`,
  () => {
    const world = hookWorld()
    afterAll(() => world[Symbol.dispose]())
    const starter = join(world.home, 'beckon-shell')
    const text = (path: string) => readFileSync(join(world.project, path), 'utf8')

    beforeAll(() => {
      const place = setupPlace(world.env, undefined)
      const program = { command: process.execPath, args: [MAIN] }
      writeFileSync(starter, shellStarter({ program, place }, 'claude'))
      chmodSync(starter, 0o755)
      for (const [path, says] of Object.entries({
        'src/a.ts': 'a',
        'src/gen/b.ts': 'b',
        'src/key.pem': 'secret',
        'src/.claude/settings.json': '{}',
        'lib/b.ts': 'b',
        'docs/readme.md': 'r',
        '.env': 'secret',
        'infra/prod/m.tf': 'secret',
      }))
        world.write(path, says)
      mkdirSync(join(world.project, 'packages'))
    })

    /** As Claude Code starts a shell command; `around` starts it there. */
    async function shell(
      command: string,
      env: Record<string, string> = {},
      around: readonly string[] = [],
    ) {
      const line = `eval '${command.replaceAll("'", "'\\''")}' < /dev/null`
      // Ends one that starts itself again for ever, by the process that `exec` keeps.
      return await runCommand(['timeout', '-s', 'KILL', '20', ...around, starter, line], {
        cwd: world.project,
        env: { PATH: process.env.PATH, ...world.env, CLAUDE_CODE_SESSION_ID: SESSION, ...env },
      })
    }

    test('without a scope a command runs as it is', async () => {
      expect(await shell('echo 1 > lib/b.ts && cat .env')).toMatchObject({ code: 0, out: 'secret' })
    })

    test('from the yes on, programs are held to it', async () => {
      await world.ratify('claude', {
        allowedPaths: ['src', 'docs/*.md', 'packages/new', 'docs/new.txt'],
        offLimitsPaths: ['infra/prod', '**/.env', '**/*.pem'],
      })
      const { out } = await shell(
        `
      python3 -c "open('src/a.ts', 'w').write('py')"; echo x > docs/readme.md; mkdir -p packages/new && echo x > packages/new/a; echo x > docs/new.txt
      python3 -c "open('lib/b.ts', 'w').write('py')"; echo x > docs/other.md; echo x > new; echo x > src/.claude/settings.json
      cat .env infra/prod/m.tf src/key.pem; cat ~/.local/state/beckon/machine.key ~/.config/beckon/client.json
      echo "$XDG_STATE_HOME:$BUN_OPTIONS"`,
        { BUN_OPTIONS: '--smol' },
      )
      expect(out).toBe(':--smol\n')
      expect(['src/a.ts', 'docs/readme.md', 'packages/new/a', 'docs/new.txt'].map(text)).toEqual([
        'py',
        'x\n',
        'x\n',
        'x\n',
      ])
      expect(['lib/b.ts', 'src/.claude/settings.json'].map(text)).toEqual(['1\n', '{}'])
      expect(['docs/other.md', 'new'].map((path) => existsSync(join(world.project, path)))).toEqual(
        [false, false],
      )
    })

    const jail = [process.execPath, MAIN, 'jail', '--write', world.home, '--']
    const filter = join(world.home, 'filter')
    writeFileSync(filter, filterWithout(LANDLOCK))
    const withoutLandlock = [
      ...['sh', '-c', 'filter=$1; shift; exec "$@" 9<"$filter"', 'sh', filter],
      ...WITHOUT_NAMESPACES,
      ...['--seccomp', '9'],
    ]
    const places = {
      'where user namespaces are refused': [WITHOUT_NAMESPACES, 'landlock'],
      'in a chroot': [CHROOT, 'landlock'],
      'in a chroot, without the right to mount': [[...CHROOT, ...MAY_NOT_MOUNT], 'landlock'],
      'in a jail around the client': [jail, 'landlock'],
      'in two jails': [[...jail, ...jail], 'landlock'],
      'in a jail in a chroot': [[...CHROOT, ...jail], 'landlock'],
      'without namespaces and Landlock': [withoutLandlock, 'none'],
    } as const
    for (const [where, [around, held]] of Object.entries(places))
      describe.skipIf(!starts(around))(
        `${where}${starts(around) ? '' : ' (skipped: not here)'}`,
        () => {
          const command = 'echo 1 > src/a.ts; echo bad > lib/b.ts; cat .env; echo done'
          const out = held === 'none' ? 'secretdone\n' : 'done\n'
          const left = held === 'none' ? 'bad\n' : '1\n'

          beforeEach(() => world.write('lib/b.ts', '1\n'))
          // What a command noted of this place counts until the session starts anew.
          afterAll(async () => void (await world.run('claude', world.event('SessionStart'))))

          test('a command that the client starts ends, held as far as it can be', async () => {
            expect(await shell(command, {}, around)).toMatchObject({ code: 0, out })
            expect([text('src/a.ts'), text('lib/b.ts')]).toEqual(['1\n', left])
          })

          test('the hook says what holds, and one that it replaced ends, too', async () => {
            const ran = async (words: string[], input: object = {}) =>
              await runCommand(['timeout', '-s', 'KILL', '20', ...around, ...words], {
                cwd: world.project,
                env: { PATH: process.env.PATH, ...world.env },
                stdin: JSON.stringify(input),
              })
            const hook = (input: object) => ran([process.execPath, MAIN, 'hook', 'gemini'], input)
            await hook(world.event('SessionStart'))
            const { server } = world
            expect(server.asked.findLast(({ event }) => event === 'session_start')).toMatchObject({
              contained: held,
            })
            world.write('plan', command)
            const call = { tool_name: 'run_shell_command', tool_input: { command: 'sh plan' } }
            const replaced = await hook(world.event('BeforeTool', call))
            const { tool_input: input } = JSON.parse(replaced.out).hookSpecificOutput
            expect(input.command).toStartWith('sh ')
            expect(await ran(['bash', '-c', input.command])).toMatchObject({ code: 0, out })
            expect([text('src/a.ts'), text('lib/b.ts')]).toEqual(['1\n', left])
          })
        },
      )

    test('what is added to it counts for the next command', async () => {
      await world.ratify('claude', { allowedPaths: ['src'], widened: ['lib/b.ts', 'lib/new.ts'] })
      const { code } = await shell(
        'echo 2 > lib/b.ts && echo 3 > lib/new.ts && ! echo 4 > lib/c.ts',
      )
      expect([code, text('lib/b.ts'), text('lib/new.ts')]).toEqual([0, '2\n', '3\n'])
    })

    test('an empty list allows the project, and not what is protected in it', async () => {
      await world.ratify('claude', { allowedPaths: [], offLimitsPaths: ['.env'] })
      await shell(
        'echo 5 > lib/c.ts; echo x > src/.claude/settings.json; echo x > .env; echo x > ../outside',
      )
      expect([text('lib/c.ts'), text('src/.claude/settings.json'), text('.env')]).toEqual([
        '5\n',
        '{}',
        'secret',
      ])
    })

    test('what was stopped is told to the model with the way to ask for it, and to a person once', async () => {
      await world.ratify('claude', { allowedPaths: ['src'], offLimitsPaths: ['infra/prod'] })
      const command = 'touch lib/c.ts; touch lib/z.ts; cat infra/prod/m.tf; git config a.b c'
      const { err } = await shell(`${command}; python3 -c "open('lib/py', 'w')"; ls /nowhere`)
      const after = world.event('PostToolUseFailure', {
        tool_name: 'Bash',
        tool_input: { command: 'npm test' },
        tool_use_id: 'toolu_2',
        error: `Exit code 1\n${err}`,
      })
      const env = { CLAUDE_CODE_SHELL_PREFIX: '/home/u/.claude/hooks/beckon-shell' }
      const { out } = await world.run('claude', after, { env })
      const text = JSON.parse(out).hookSpecificOutput.additionalContext
      expect(text).toContain('"lib/z.ts", "lib/py". If the task needs it, ask the person: ask_user')
      expect(text).toContain('Off limits: infra/prod/m.tf (rule infra/prod)')
      expect(text).not.toContain('nowhere')
      const isTold = () => world.server.notes.some(({ body }) => String(body).endsWith(': lib/py'))
      await until(isTold)
      expect((await world.run('claude', after)).out).toBe('')
    })

    test('who goes through a folder has tried to read nothing in it', async () => {
      await world.ratify('claude', { allowedPaths: ['src'], offLimitsPaths: ['infra', '.env'] })
      const env = { CLAUDE_CODE_SHELL_PREFIX: '/home/u/.claude/hooks/beckon-shell' }
      const readNotice = async (command: string) => {
        const { err } = await shell(command)
        expect(err).toContain('denied')
        const tool = { tool_name: 'Bash', tool_input: { command }, tool_use_id: `u_${command}` }
        const after = world.event('PostToolUseFailure', { ...tool, error: `Exit code 2\n${err}` })
        return (await world.run('claude', after, { env })).out
      }
      expect(await readNotice('grep -r secret .')).toBe('')
      expect(await readNotice('find infra')).toContain('infra')
      expect(await readNotice('find . -type f')).toBe('')
      expect(await readNotice('grep secret .env')).toContain('.env')
      expect(await readNotice(`python3 -c "open('.e' + 'nv')"`)).toContain('.env')
    })

    test('a word of a message is no path that was tried', async () => {
      await world.ratify('claude', { allowedPaths: ['src'] })
      const env = { CLAUDE_CODE_SHELL_PREFIX: '/home/u/.claude/hooks/beckon-shell' }
      const readNotice = async (line: string) => {
        const tool = { tool_name: 'Bash', tool_input: { command: 'x' }, tool_use_id: `w_${line}` }
        const after = world.event('PostToolUseFailure', { ...tool, error: `Exit code 1\n${line}` })
        return (await world.run('claude', after, { env })).out
      }
      for (const line of [
        'prlimit: failed to set the ADDRESS limit: Operation not permitted',
        'PHP Warning:  file_put_contents(src): Failed to open stream: Permission denied in x',
        'strace: attach: ptrace(PTRACE_SEIZE, 1780): Operation not permitted',
        'gcc: fatal error: Permission denied',
        'make: warning: Permission denied',
      ])
        expect(await readNotice(line)).toBe('')
      for (const line of [
        'bash: line 1: fresh: Read-only file system',
        'sh: 1: cannot create made: Read-only file system',
        'ld: cannot open output file lib/a.out: Read-only file system',
      ])
        expect(await readNotice(line)).toContain('Not changed')
    })

    test('nobody is asked about temporary files, and about the project in such a folder', async () => {
      await world.ratify('claude', { allowedPaths: ['src'] })
      const env = {
        PATH: process.env.PATH,
        CLAUDE_CODE_SHELL_PREFIX: '/h/.claude/hooks/beckon-shell',
      }
      const asksPerson = async (tool: string, input: object, more: object = env) =>
        (await world.run('claude', world.before(tool, input), { env: more as never })).out !== ''
      const write = (path: string) => ({ file_path: path, content: 'x' })
      expect(await asksPerson('Write', write('/tmp/beckon-scratch/a'))).toBe(false)
      expect(await asksPerson('Bash', { command: 'echo x > /tmp/beckon-scratch/a' })).toBe(false)
      expect(await asksPerson('Write', write('/tmp/beckon-scratch/a'), { PATH: env.PATH })).toBe(
        true,
      )
      expect(await asksPerson('Write', write(join(world.project, 'lib/b.ts')))).toBe(true)
      expect(await asksPerson('Bash', { command: 'cp src/a.ts /tmp/a lib/' })).toBe(true)
    })

    test('how commands are contained is reported, by trying it', async () => {
      const env = {
        PATH: process.env.PATH,
        CLAUDE_CODE_SHELL_PREFIX: '/h/.claude/hooks/beckon-shell',
      }
      const start = world.event('SessionStart', { source: 'startup' })
      const contained = async (client: string, more: object = {}) => {
        await world.run(client, start, { env: { ...env, ...more } })
        // A report of a contract that it has just read may follow.
        return world.server.asked.findLast(({ event }) => event === 'session_start')?.contained
      }
      expect(await contained('claude')).toBe(mounts() ? 'namespaces' : 'landlock')
      expect(await contained('claude', { CLAUDE_CODE_SHELL_PREFIX: '/h/other' })).toBe('none')
      expect(await contained('gemini')).toBe(mounts() ? 'namespaces' : 'landlock')
      // Without its record a sandbox of Codex itself may be around the command.
      expect(await contained('codex')).toBe('landlock')
      expect(await contained('qwen')).toBe('none')
      // There is nothing to try it with: not known, and so not said.
      expect(await contained('claude', { PATH: '/nowhere' })).toBeUndefined()
    })

    test('in a jail around the client, what is tried is Landlock alone', async () => {
      const input = JSON.stringify(world.event('SessionStart', { source: 'startup' }))
      const env = { CLAUDE_CODE_SHELL_PREFIX: '/h/.claude/hooks/beckon-shell' }
      const around = ['jail', '--write', world.home, '--', process.execPath, MAIN, 'hook', 'claude']
      const child = Bun.spawn([process.execPath, MAIN, ...around], {
        cwd: world.home,
        env: { PATH: process.env.PATH, ...world.env, ...env },
        stdin: new Blob([input]),
        stdout: 'pipe',
        stderr: 'inherit',
      })
      expect(await child.exited).toBe(0)
      expect(world.server.asked.at(-1)).toMatchObject({ contained: 'landlock' })
    })

    test('a command that is not understood is not asked about, because it runs in the scope', async () => {
      const { before, run, server } = world
      const command = before('Bash', { command: 'eval "$(cat docs/readme.md)"' })
      const { length } = server.asked
      const jailed = { env: { CLAUDE_CODE_SHELL_PREFIX: starter } }
      expect(await run('claude', command, jailed)).toEqual(NOTHING)
      expect(server.asked.slice(length).filter(({ event }) => event === 'approval')).toEqual([])
      // Only the shell of this client is started so.
      for (const other of [before('PowerShell', { command: 'ni x' }), command])
        expect(await run('claude', other, other === command ? {} : jailed)).toMatchObject({
          out: expect.stringContaining('"ask"'),
        })
    })

    test('another session of the same machine is left alone', async () => {
      const other = { CLAUDE_CODE_SESSION_ID: 'another' }
      expect(await shell('echo 6 > lib/b.ts', other)).toMatchObject({ code: 0 })
    })

    test('a scope that cannot be read stops the command', async () => {
      const folder = join(world.state, 'scope')
      for (const name of new Bun.Glob('*.json').scanSync(folder))
        writeFileSync(join(folder, name), 'x')
      const { code, err } = await shell('echo 7 > lib/b.ts')
      expect([code, text('lib/b.ts')]).toEqual([125, '6\n'])
      expect(err).toContain('--refresh')
    })
  },
)

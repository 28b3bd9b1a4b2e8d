import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jailWorld, whyNot } from './jail-world.ts'

const why = whyNot()
const world = jailWorld()
afterAll(() => world[Symbol.dispose]())
const text = (name: string) => readFileSync(join(world.project, name), 'utf8')

describe.skipIf(why !== undefined)(`beckon jail${why ? ` (skipped: ${why})` : ''}`, () => {
  test('writes where it may, reads all but what it may not, and keeps everything else', async () => {
    const { code, out } = await world.sh(`
      echo x >> src/a.ts && echo wrote; mkdir src/new && mv src/a.ts src/new && echo moved
      cat lib/b.ts
      echo x >> lib/b.ts; echo x > new.txt; rm lib/b.ts; mv lib other; ln lib/b.ts src/hard; cp -l lib/b.ts src/hard
      chmod 777 lib/b.ts; touch -d 2001-01-01 lib/b.ts
      cat .env; cat infra/prod/m.tf; ls infra/prod; cat /proc/self/root$PWD/.env; cd infra/prod
      t=$(mktemp) && echo x > $t && rm $t && echo temporary; echo x > ~/.cache/a && echo cached
      exit 7`)
    expect({ code, out }).toEqual({ code: 7, out: 'wrote\nmoved\nb\ntemporary\ncached\n' })
    expect([text('src/new/a.ts'), text('lib/b.ts')]).toEqual(['a\nx\n', 'b\n'])
    expect(existsSync(join(world.project, 'new.txt'))).toBe(false)
    expect(statSync(join(world.project, 'lib/b.ts')).mode & 0o777).not.toBe(0o777)
    expect(statSync(join(world.project, 'lib/b.ts')).mtime.getFullYear()).toBeGreaterThan(2001)
  })

  test('Landlock alone holds the same contents and names', async () => {
    const script = `
      echo x > src/c.ts && cat src/c.ts
      echo x >> lib/b.ts; echo x > new.txt; rm lib/b.ts; mv lib other; ln lib/b.ts src/hard
      cat .env; cat infra/prod/m.tf; cat lib/b.ts`
    const { code, out } = await world.sh(script, ['--no-namespaces'])
    expect({ code, out }).toEqual({ code: 0, out: 'x\nb\n' })
    expect([text('lib/b.ts'), existsSync(join(world.project, 'src/hard'))]).toEqual(['b\n', false])
  })

  test('commits, and does not change what git would run', async () => {
    Bun.spawnSync(['git', 'init', '-q', '.'], { cwd: world.project, env: world.env })
    const { out, code } = await world.sh(`
      git add src && git commit -qm one && git log --format=%s
      git config core.hooksPath src; echo x > .git/hooks/pre-commit; mv .git/config .git/c
      git add -A || echo failed
      git ls-files infra .env`)
    expect({ out, code }).toEqual({ out: 'one\n', code: 0 })
    expect(text('.git/config')).not.toContain('hooksPath')
  })

  test('a jail inside a jail holds both', async () => {
    const inner = `${process.execPath} ${world.main} jail --write lib --write src/q -- sh -c 'echo in; echo x > lib/b.ts; echo x > src/z; cat .env'`
    expect(await world.sh(inner)).toMatchObject({ out: 'in\n' })
    expect([text('lib/b.ts'), existsSync(join(world.project, 'src/z'))]).toEqual(['b\n', false])
  })

  test('is the command: the same process, its signals, files and limits, without more rights', async () => {
    const script = `echo $$; ls /proc/self/fd | wc -l; grep -E 'SigIgn|SigBlk|NoNewPrivs|^Cap(Eff|Prm)' /proc/self/status; kill -TERM $$`
    const child = Bun.spawn(
      [
        'sh',
        '-c',
        'ulimit -Sn 512; exec "$@"',
        'sh',
        process.execPath,
        world.main,
        'jail',
        '--',
        'sh',
        '-c',
        `ulimit -Sn; ${script}`,
      ],
      { cwd: world.project, env: world.env, stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' },
    )
    const [limit, pid, files, ...status] = (await new Response(child.stdout).text()).split('\n')
    await child.exited
    expect({ signal: child.signalCode, pid: Number(pid), files }).toEqual({
      signal: 'SIGTERM',
      pid: child.pid,
      files: '4',
    })
    expect(Number(limit)).toBeGreaterThan(0)
    const fields = Object.fromEntries(status.filter(Boolean).map((line) => line.split(':\t')))
    expect(fields).toMatchObject({
      SigBlk: '0000000000000000',
      SigIgn: '0000000000000000',
      NoNewPrivs: '1',
    })
    // CAP_SYS_ADMIN, CAP_SYS_PTRACE, CAP_DAC_READ_SEARCH, CAP_MKNOD
    const strong = [21n, 19n, 2n, 27n].map((cap) => (BigInt(`0x${fields.CapEff}`) >> cap) & 1n)
    expect(strong).toEqual([0n, 0n, 0n, 0n])
  })

  test('ends as a shell does where the command cannot be started', async () => {
    const script = join(world.project, 'src/run')
    writeFileSync(script, 'echo "as sh: $1"\n')
    expect(await world.run(['--', 'no-such-command'])).toMatchObject({ code: 127, out: '' })
    expect(await world.run(['--', './lib/b.ts'])).toMatchObject({ code: 126, out: '' })
    chmodSync(script, 0o755)
    expect(await world.run(['--', 'src/run', 'it'])).toMatchObject({ code: 0, out: 'as sh: it\n' })
    expect(await world.run(['--write', 'src'])).toMatchObject({ code: 2 })
  })

  test('arguments that are not UTF-8 arrive as they were', async () => {
    const { out } = await world.sh(
      `${process.execPath} ${world.main} jail -- printf %s "$(printf 'a\\377b')" | od -An -tx1`,
    )
    expect(out.trim()).toBe('61 ff 62')
  })
})

import { expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import {
  changedOutside,
  gitSession,
  keptBaselines,
  SCOPE,
  waitForLooks,
} from '../../support/git-session.ts'
import { type HookWorld, hookWorld, NOTHING, SESSION } from '../../support/hook-world.ts'
import { put } from '../../support/repository.ts'
import { isLong } from '../../support/share.ts'
import { until } from '../../support/until.ts'

// Each of many looks waits for git and for a process in the background.
setDefaultTimeout(240_000)

/** What a notification lists. */
function filesIn(note: Record<string, unknown> = {}): string[] {
  return (note.context as { filesChanged: string[] }).filesChanged
}

const LOOK = { tool_name: 'Bash', tool_input: { command: 'make' } }

test('names of files are shown without what hides, breaks lines or turns the reading', async () => {
  using world = hookWorld()
  const { readNotice } = await gitSession(world)
  const names = ['a "b"\\', 'line\nfeed', 'turn\u202eed\u001b[31m', '__proto__', '--refresh', 'ü→']
  put(world.project, Object.fromEntries(names.map((name) => [name, 'x'])))
  put(world.project, { ['__proto__']: 'x', [`${'long'.repeat(50)}/${'x'.repeat(200)}`]: '' })
  const expectedNames = [
    '"a \\"b\\"\\\\"',
    '"line feed"',
    '"turned[31m"',
    '"__proto__"',
    '"--refresh"',
    '"ü→"',
  ]
  let text = ''
  // A busy machine sees some of them at once, and the others in the background.
  await until(async () => {
    text += await readNotice()
    return [...expectedNames, 'longlong'].every((name) => text.includes(name))
  })
  for (const hidden of ['\u202e', '\u001b', '\n']) expect(text).not.toContain(hidden)
  expect(text).toContain(`"${'long'.repeat(50)}"`)
  const filesChanged = () => world.server.notes.flatMap(filesIn)
  await until(() => filesChanged().length === 7)
  expect(filesChanged()).toContain('turned[31m')
  expect(filesChanged()).toContain('line feed')
})

test('bytes that are no text are a name like others', async () => {
  using world = hookWorld()
  const { heard, readNotice } = await gitSession(world)
  writeFileSync(Buffer.concat([Buffer.from(`${world.project}/b`), Buffer.from([0xff])]), 'x')
  expect(await heard()).toContain('"b\ufffd"')
  expect(await readNotice()).toBe('')
})

test('a link is where it lies, wherever it leads', async () => {
  using world = hookWorld()
  const { heard, readNotice } = await gitSession(world)
  symlinkSync('../infra', join(world.project, 'src/link'))
  symlinkSync('/etc/hosts', join(world.project, 'src/hosts'))
  symlinkSync('loop', join(world.project, 'src/loop'))
  expect(await readNotice()).toBe('')
  symlinkSync('src/a.ts', join(world.project, 'inward'))
  expect(await heard()).toStartWith(changedOutside('"inward"'))
})

test('git that takes too long is ended, with nothing said; after three times it has a rest', async () => {
  using world = hookWorld()
  const { heard, after } = await gitSession(world)
  const { home, project, run } = world
  const bin = join(home, 'bin')
  // What it starts holds its output open for longer than anybody waits.
  put(bin, {
    git: `#!/bin/sh\necho x >> ${home}/started\nsleep 100 &\necho $! >> ${home}/sleeps\nwait\n`,
  })
  chmodSync(join(bin, 'git'), 0o755)
  put(project, { 'README.md': 'changed' })
  const env = { PATH: `${bin}${delimiter}${process.env.PATH}` }
  const began = performance.now()
  for (let at = 0; at < 5; at++) expect(await run('claude', after('x'), { env })).toEqual(NOTHING)
  // Far from any of its sleeps.
  expect(performance.now() - began).toBeLessThan(50_000)
  const sleeps = readFileSync(join(home, 'sleeps'), 'utf8').trim().split('\n').map(Number)
  for (const pid of sleeps) process.kill(pid)
  // Three times while the agent waits, and once in the background.
  expect(statSync(join(home, 'started')).size).toBeLessThanOrEqual(4 * 2)
  expect(world.server.notes).toEqual([])
  for (const name of keptBaselines(world).filter((one) => /\.(slow|look)$/.test(one))) {
    rmSync(join(world.state, 'baseline', name), { recursive: true })
  }
  expect(await heard()).toContain('README.md')
})

test('what git is too slow for is found in the background: a person is told then, the model next', async () => {
  using world = hookWorld()
  const { after } = await gitSession(world)
  const { home, project, run, server } = world
  const bin = join(home, 'bin')
  put(bin, { git: `#!/bin/sh\nsleep 0.4\nexec ${Bun.which('git')} "$@"\n` })
  chmodSync(join(bin, 'git'), 0o755)
  const env = { PATH: `${bin}${delimiter}${process.env.PATH}` }
  const outs: string[] = []
  const look = async () => outs.push((await run('claude', after('make'), { env })).out)
  const names = ['README.md', 'a', 'b', 'c', 'd']
  const says = (out: string, name: string) => out.includes(`\\"${name}\\"`)
  // More often than git may be too slow before it has a rest.
  for (const name of names) {
    put(project, { [name]: 'changed' })
    await look()
    await until(() => server.notes.some((note) => filesIn(note).includes(name)))
  }
  await until(async () => {
    await look()
    return outs.some((out) => says(out, 'd'))
  })
  expect(outs[0]).toBe('')
  for (const name of names) {
    expect(outs.filter((out) => says(out, name))).toHaveLength(1)
    expect(server.notes.filter((note) => filesIn(note).includes(name))).toHaveLength(1)
  }
  await run('claude', world.event('SessionEnd', {}))
  expect(keptBaselines(world)).toEqual([])
})

test('two hooks that see one change tell it once', async () => {
  using world = hookWorld()
  const { after } = await gitSession(world)
  put(world.project, { 'README.md': 'changed' })
  const outs: string[] = []
  await until(async () => {
    const both = await Promise.all([1, 2, 3].map(() => world.run('claude', after('make'))))
    outs.push(...both.map(({ out }) => out).filter((out) => out !== ''))
    return outs.length > 0
  })
  expect(outs.length).toBe(1)
})

// More than are named. A look has a time limit, and on a busy machine it sees ten or twenty files.
const MANY = isLong ? 450 : 100

test('of very many files some are named, all are counted, and none is told again', async () => {
  using world = hookWorld()
  const { heard, readNotice } = await gitSession(world)
  const many = Array.from({ length: MANY }, (_, at) => [`out/${String(at).padStart(3, '0')}`, ''])
  put(world.project, Object.fromEntries(many))
  let count = 0
  // A busy machine sees a part of them in the time of one look.
  await until(async () => {
    const notice = await readNotice()
    const more = Number(/ and (\d+) more/.exec(notice)?.[1] ?? 0)
    count += more + (notice.match(/"out\//g)?.length ?? 0)
    return count >= MANY
  })
  expect(count).toBe(MANY)
  expect(await readNotice()).toBe('')
  await until(() => world.server.notes.length > 0)
  const filesChanged = filesIn(world.server.notes[0])
  expect(filesChanged.length).toBeLessThanOrEqual(51)
  put(world.project, { last: '' })
  expect(await heard()).toStartWith(changedOutside('"last"'))
})

test('with the server away the model is told all the same', async () => {
  using world = hookWorld()
  const { heard } = await gitSession(world)
  put(world.project, { 'README.md': 'changed' })
  world.server.stop()
  expect(await heard()).toContain('README.md')
})

test('what is kept is for its owner alone, may be broken, and goes with the session', async () => {
  using world = hookWorld()
  const { heard, readNotice } = await gitSession(world)
  const { project, state, event, run } = world
  const folder = join(state, 'baseline')
  const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.json'))
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  for (const text of ['', '{', '[]', '{"scope":"q_scope","tops":[1],"files":[[1]]}', 'null']) {
    writeFileSync(join(folder, name), text)
    expect(await readNotice()).toBe('')
    await waitForLooks(world)
  }
  writeFileSync(join(folder, name), '{')
  await until(async () => {
    await readNotice()
    await waitForLooks(world)
    return statSync(join(folder, name)).size > 2
  })
  put(project, { 'README.md': 'changed' })
  expect(await heard()).toContain('README.md')
  await run('claude', event('SessionEnd', { reason: 'other' }))
  expect(keptBaselines(world)).toEqual([])
})

function isLook(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('--look')
  } catch {
    return false
  }
}

/** Git that answers when it is told to: a hook does not wait for that, and a look does. */
function holdGit({ home }: HookWorld) {
  const bin = join(home, 'bin')
  const go = join(home, 'go')
  const waits = join(home, 'waits')
  put(bin, {
    git: `#!/bin/sh\necho $PPID >> ${waits}\nwhile [ ! -e ${go} ]; do sleep 0.05; done\nexec ${Bun.which('git')} "$@"\n`,
  })
  chmodSync(join(bin, 'git'), 0o755)
  return {
    env: { PATH: `${bin}${delimiter}${process.env.PATH}` },
    /** The hook itself runs git, too, and ends it. */
    isLooking: () =>
      existsSync(waits) && readFileSync(waits, 'utf8').trim().split('\n').some(isLook),
    answer: () => writeFileSync(go, ''),
  }
}

test('a look that is under way when the session ends tells nothing, and leaves nothing', async () => {
  using world = hookWorld()
  const { after } = await gitSession(world)
  const { project, event, run, server, state } = world
  const git = holdGit(world)
  put(project, { 'README.md': 'changed' })
  await run('claude', after('make'), { env: git.env })
  const [look = ''] = keptBaselines(world).filter((name) => name.endsWith('.look'))
  await until(git.isLooking)
  await run('claude', event('SessionEnd', { reason: 'other' }))
  // It removes this mark last.
  writeFileSync(join(state, 'baseline', look), '')
  git.answer()
  await until(() => !keptBaselines(world).includes(look))
  expect(keptBaselines(world)).toEqual([])
  expect(server.notes).toEqual([])
})

test("what a person changed while a session slept is nobody else's, however slow git is", async () => {
  using world = hookWorld()
  const { after, readNotice, heard } = await gitSession(world)
  const { project, event, run, server } = world
  const git = holdGit(world)
  // A look of the last command that is still under way knows the snapshot before.
  await run('claude', after('make'), { env: git.env })
  await until(git.isLooking)
  put(project, { 'big.txt': 'by the person, while the session slept' })
  await run('claude', event('SessionStart', { source: 'resume' }), { env: git.env })
  // Another hook looks before git has answered.
  expect(await readNotice()).toBe('')
  git.answer()
  await until(async () => {
    await waitForLooks(world)
    expect(await readNotice()).toBe('')
    return keptBaselines(world).some((name) => name.endsWith('.json'))
  })
  put(project, { 'README.md': 'by the agent' })
  expect(await heard()).toContain('README.md')
  expect(JSON.stringify(server.notes)).not.toContain('big.txt')
})

test('another scope begins anew, and so does a session that goes on', async () => {
  using world = hookWorld()
  const { heard, readNotice } = await gitSession(world)
  const { project, run, event, state } = world
  const text = () =>
    keptBaselines(world)
      .filter((name) => name.endsWith('.json'))
      .map((name) => Bun.file(join(state, 'baseline', name)).text())[0] ?? ''
  put(project, { 'README.md': 'changed' })
  expect(await heard()).toContain('README.md')
  await world.ratify('claude', { ...SCOPE, correlationId: 'q_next' })
  await until(async () => {
    expect(await readNotice()).toBe('')
    await waitForLooks(world)
    return (await text()).includes('q_next')
  })
  put(project, { 'README.md': 'changed again' })
  expect(await heard()).toContain('README.md')
  put(project, { 'big.txt': 'by the person, while the session slept' })
  await until(async () => {
    await run('claude', event('SessionStart', { source: 'resume' }))
    return (await text()).includes('big.txt')
  })
  expect(await readNotice()).toBe('')
})

test('sessions know nothing of each other', async () => {
  using world = hookWorld()
  const { heard } = await gitSession(world)
  put(world.project, { 'README.md': 'changed' })
  const other = world.event('PostToolUse', { ...LOOK, session_id: `${SESSION}-2` })
  world.server.ratifiedBy = SESSION
  expect(await world.run('claude', other)).toEqual(NOTHING)
  mkdirSync(join(world.project, 'src/x'))
  expect(await heard()).toContain('README.md')
})

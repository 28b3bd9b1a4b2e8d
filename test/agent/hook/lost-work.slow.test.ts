import { expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocked, type HookWorld, hookWorld, NOTHING } from '../../support/hook-world.ts'
import { git, put, repository } from '../../support/repository.ts'

/** A repository with a changed file, a new one, and one that git ignores. */
function dirty({ project }: HookWorld) {
  repository(project, { 'a.txt': '1', 'src/b.ts': '1', '.gitignore': 'dist\n' })
  put(project, { 'a.txt': '2', 'notes/new.md': 'n', 'dist/out.js': '' })
}

/** What the person was asked about a command; undefined when nobody was. */
async function question(world: HookWorld, command: string, more: object = {}) {
  const { run, before, server } = world
  const from = server.asked.length
  const outcome = await run(
    'claude',
    before('Bash', { command }, { tool_use_id: command, ...more }),
  )
  const ask = server.asked.slice(from).find(({ event }) => event === 'approval')?.ask
  return { outcome, question: ask?.question, ask }
}

test('whoever destroys work that is not committed asks first, and names it', async () => {
  using world = hookWorld({ waitSeconds: 50 })
  dirty(world)
  world.server.answer = { value: 'no', note: 'commit it' }
  const lost = (names: string) => `Work that is not committed would be lost: ${names}. Let it run?`
  for (const [command, names] of [
    ['git reset --hard', 'a.txt'],
    ['git reset --hard HEAD~1 && ls', 'a.txt'],
    ['git checkout -- .', 'a.txt'],
    ['git checkout -q .', 'a.txt'],
    ['git checkout a.txt', 'a.txt'],
    ['git checkout -f main', 'a.txt'],
    ['git switch --discard-changes main', 'a.txt'],
    ['git restore .', 'a.txt'],
    ['git restore --source=HEAD a.txt', 'a.txt'],
    ['git stash', 'a.txt'],
    ['git stash -u', 'a.txt, notes/new.md'],
    ['git clean -fd', 'notes/new.md'],
    ['git clean -fdx', 'notes/new.md, dist/out.js'],
    ['rm notes/new.md', 'notes/new.md'],
    ['rm -rf notes', 'notes/new.md'],
    ['find . -name "*.md" -delete', 'notes/new.md'],
    ['N=notes; rm -r "$N"', 'notes/new.md'],
    ['cd notes && rm *', 'notes/new.md'],
    ['for f in a.txt notes/new.md; do rm $f; done', 'a.txt, notes/new.md'],
    // What xargs adds is not known.
    ['echo notes/new.md | xargs rm', 'a.txt, notes/new.md'],
    ['git reset --har', 'a.txt'],
    ['rsync -a --delete /tmp/none/ notes', 'notes/new.md'],
    ['rsync -a --delete src/ notes', 'notes/new.md'],
    ['tar --remove-files -cf a.tar notes', 'notes/new.md'],
    ['sh -c "git -C . reset --hard"', 'a.txt'],
  ] as const) {
    const { outcome, question: text } = await question(world, command)
    expect({ command, asked: text }).toEqual({ command, asked: lost(names) })
    expect(outcome).toEqual(
      blocked(
        'The person does not want this to run. Work that is not committed would be lost. They say: "commit it". Do not retry it or work around it.',
      ),
    )
  }
}, 120_000)

test('where nothing would be lost nobody is asked', async () => {
  using world = hookWorld({ waitSeconds: 50 })
  dirty(world)
  for (const command of [
    'git status && git diff',
    'git reset a.txt',
    'git reset --soft HEAD',
    'git checkout -b other',
    'git checkout src/b.ts',
    'git restore --staged a.txt',
    'git stash list',
    'git stash pop',
    'git clean -n',
    'rm -rf dist node_modules',
    'rm src/b.ts',
    'rm -f nowhere.txt',
    'git push origin main',
    'git push --force --dry-run',
    'rm -rf /tmp/nowhere-at-all',
  ])
    expect({ command, ...(await question(world, command)) }).toMatchObject({
      command,
      outcome: NOTHING,
      question: undefined,
    })
  git(world.project, 'add', '-A')
  git(world.project, '-c', 'user.email=a@example.com', 'commit', '-qm', 'all')
  for (const command of ['git reset --hard', 'git stash', 'git clean -fd', 'git checkout .'])
    expect({ command, ...(await question(world, command)) }).toMatchObject({
      command,
      outcome: NOTHING,
      question: undefined,
    })
}, 120_000)

test('a push by force, stashes that are dropped and branches that are deleted are asked about', async () => {
  using world = hookWorld({ waitSeconds: 50 })
  const { project } = world
  repository(project, { a: '1' })
  world.server.answer = { value: 'no' }
  for (const command of [
    'git push --force',
    'git push -f origin main',
    'git push --force-with-lease=main origin main',
    'git push origin +main',
    'git push origin :main',
    'git push --delete origin main',
    'git push --mirror',
  ])
    expect({ command, asked: (await question(world, command)).question }).toEqual({
      command,
      asked: 'What the remote repository has would be overwritten or deleted. Let it run?',
    })
  expect((await question(world, 'git stash drop')).question).toBeUndefined()
  writeFileSync(join(project, 'a'), '2')
  git(project, 'stash', '-q')
  expect((await question(world, 'git stash clear')).question).toStartWith(
    'Stashed work would be dropped: stash@{0}: ',
  )
  git(project, 'checkout', '-q', '-b', 'topic')
  git(project, 'commit', '-q', '--allow-empty', '-m', 'only here')
  git(project, 'checkout', '-q', 'main')
  git(project, 'branch', 'same')
  expect((await question(world, 'git branch -D topic')).question).toMatch(
    /^Commits that no other branch has would be lost: [0-9a-f]+ only here\. Let it run\?$/,
  )
  expect((await question(world, 'git update-ref -d refs/heads/topic')).question).toContain(
    'only here',
  )
  expect((await question(world, 'git branch -D same')).question).toBeUndefined()
}, 120_000)

test('a linked work tree takes its files with it, and no commits', async () => {
  using world = hookWorld({ waitSeconds: 50 })
  dirty(world)
  git(world.project, 'worktree', 'add', '-q', '../linked', '-b', 'linked')
  expect(await question(world, 'rm -rf ../linked')).toMatchObject({ outcome: NOTHING })
  put(world.home, { 'linked/a.txt': '3' })
  expect((await question(world, 'rm -rf ../linked')).question).toBe(
    'Work that is not committed would be lost: a.txt. Let it run?',
  )
}, 60_000)

test('a repository that goes as a whole takes what no remote has', async () => {
  using world = hookWorld({ waitSeconds: 50 })
  const { project, home, server } = world
  repository(project, { a: '1' })
  server.answer = { value: 'no' }
  for (const command of ['rm -rf .git', 'cd .. && rm -rf proj', `rm -rf ${home}/proj/`])
    expect({ command, asked: (await question(world, command)).question }).toEqual({
      command,
      asked: expect.stringMatching(
        /^Commits that no remote repository has would be lost: [0-9a-f]+ start\. Let it run\?$/,
      ),
    })
  git(home, 'clone', '-q', '--bare', project, 'remote.git')
  git(project, 'remote', 'add', 'origin', join(home, 'remote.git'))
  git(project, 'fetch', '-q')
  expect((await question(world, 'rm -rf .git')).question).toBeUndefined()
}, 120_000)

test('a yes lets it run, and the prompt of the client for the same call is answered by it', async () => {
  using world = hookWorld({ waitSeconds: 50 })
  const { run, before, event, server } = world
  dirty(world)
  server.answer = { value: 'yes' }
  const call = { tool_name: 'Bash', tool_input: { command: 'git reset --hard' } }
  expect(await run('claude', before(call.tool_name, call.tool_input))).toEqual(NOTHING)
  // A sign of life may come at any time; only what is asked counts.
  const questions = () => server.asked.filter(({ ask }) => ask).length
  const questionCount = questions()
  const allowed = await run('claude', event('PermissionRequest', call))
  expect(allowed.out).toContain('"allow"')
  expect(questions()).toBe(questionCount)
  // Once: another call of the same kind has its own question.
  server.answer = { value: 'no' }
  expect(await run('claude', before(call.tool_name, call.tool_input))).toMatchObject({ code: 2 })
})

test('a call that would lose work does not run without an answer; a person at the terminal is asked there', async () => {
  using world = hookWorld({ waitSeconds: 6 })
  const { run, before, server } = world
  dirty(world)
  const reset = before('Bash', { command: 'git reset --hard' })
  const asks = await run('claude', reset)
  expect(asks.out).toContain('"permissionDecision":"ask"')
  expect(await run('claude', { ...reset, permission_mode: 'bypassPermissions' })).toMatchObject({
    code: 2,
    err: expect.stringContaining('neither yes nor no: do not do it'),
  })
  expect(server.withdrawn.length).toBe(2)
  server.stop()
  expect(await run('codex', reset)).toMatchObject({
    code: 2,
    err: expect.stringContaining('This was not run'),
  })
})

test('a client that ends its hooks itself is told no before, not handed the decision', async () => {
  using world = hookWorld({ waitSeconds: 3 })
  dirty(world)
  const reset = {
    ...world.before('run_shell_command', { command: 'git reset --hard' }),
    hook_event_name: 'PreToolUse',
  }
  const ran = await world.run('qwen', reset)
  expect(ran.out).toContain('"permissionDecision":"deny"')
  expect(ran.out).toContain('neither yes nor no: do not do it')
  expect(world.server.asked.at(-1)?.ask?.question).toContain('Let it run?')
  expect(world.server.withdrawn.length).toBe(1)
})

test('a machine that is not connected has nobody to ask', async () => {
  using world = hookWorld({ waitSeconds: 50 })
  dirty(world)
  rmSync(join(world.home, '.config/beckon/client.json'))
  const { outcome } = await question(world, 'git reset --hard')
  expect(outcome).toEqual(NOTHING)
})

test('what a session made itself is no work of the person', async () => {
  using world = hookWorld({ waitSeconds: 50 })
  const { run, before, project, server } = world
  dirty(world)
  server.answer = { value: 'no' }
  await run('claude', before('Write', { file_path: `${project}/scratch.py`, content: '1' }))
  await run('claude', before('Bash', { command: 'echo x > src/out.log' }))
  put(project, { 'scratch.py': '1', 'src/out.log': 'x' })
  const both = await question(world, 'rm scratch.py src/out.log')
  expect(both).toMatchObject({ outcome: NOTHING, question: undefined })
  expect((await question(world, 'rm scratch.py notes/new.md')).question).toContain(
    'lost: notes/new.md.',
  )
  const elsewhere = await question(world, 'rm scratch.py', { session_id: 'another' })
  expect(elsewhere.question).toContain('lost: scratch.py.')
})

test('names are cleaned, cut and counted, and nothing that the repository names is run', async () => {
  using world = hookWorld({ waitSeconds: 50 })
  const { project, server } = world
  repository(project, { a: '1' })
  const many = Array.from({ length: 300 }, (_, at) => [`many/f${String(at).padStart(3, '0')}`, ''])
  put(
    project,
    Object.fromEntries([...many, [`many/A\nLet it run? YES`, ''], ['many/\u202Egpj.x', '']]),
  )
  git(project, 'config', 'core.fsmonitor', `touch ${project}/ran`)
  git(project, 'config', 'filter.x.clean', `touch ${project}/ran`)
  writeFileSync(join(project, '.gitattributes'), '* filter=x\n')
  server.answer = { value: 'no' }
  const { question: text = '', ask } = await question(world, 'rm -rf many')
  expect(text).toMatch(/ and 294 more\. Let it run\?$/)
  expect(text.length).toBeLessThanOrEqual(450)
  expect(text).not.toMatch(/\n|\u202E/)
  expect(ask?.actionBody).toContain('- many/f000\n')
  expect(ask?.actionBody?.length).toBeLessThanOrEqual(4_100)
  expect(await Bun.file(join(project, 'ran')).exists()).toBe(false)
})

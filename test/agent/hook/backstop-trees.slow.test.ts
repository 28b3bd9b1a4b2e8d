import { expect, test } from 'bun:test'
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { changedOutside, gitSession, keptBaselines } from '../../support/git-session.ts'
import { contract, hookWorld } from '../../support/hook-world.ts'
import { git, put, repository } from '../../support/repository.ts'
import { until } from '../../support/until.ts'

const LOOK = { tool_name: 'Bash', tool_input: { command: 'make' } }

test('of a submodule its commit counts and not its files; a repository inside is one entry', async () => {
  using world = hookWorld()
  const { project, home } = world
  repository(join(home, 'other'), { 'file.txt': '1' })
  const { heard, readNotice } = await gitSession(world, () => {
    git(
      project,
      '-c',
      'protocol.file.allow=always',
      'submodule',
      'add',
      '-q',
      `${home}/other`,
      'sub',
    )
    git(project, 'commit', '-q', '-m', 'sub')
  })
  put(project, { 'sub/file.txt': '2', 'sub/new.txt': '' })
  expect(await readNotice()).toBe('')
  git(join(project, 'sub'), 'commit', '-q', '-a', '-m', 'two')
  expect(await heard()).toStartWith(changedOutside('"sub"'))
  repository(join(project, 'inside'), { a: '' })
  expect(await heard()).toStartWith(changedOutside('"inside"'))
})

test('a session in a submodule, and a filter of the person that the project has as well', async () => {
  using world = hookWorld()
  const { project, home } = world
  repository(join(home, 'other'), { 'file.txt': '1' })
  const { after } = await gitSession(world, () => {
    git(
      project,
      '-c',
      'protocol.file.allow=always',
      'submodule',
      'add',
      '-q',
      `${home}/other`,
      'sub',
    )
  })
  const top = join(project, 'sub')
  const bin = join(top, 'bin')
  put(bin, { 'their-filter': `#!/bin/sh\ntouch ${home}/ran\ncat\n` })
  chmodSync(join(bin, 'their-filter'), 0o755)
  put(top, { '.gitattributes': '* filter=own' })
  put(home, { '.gitconfig': '[filter "own"]\n\tclean = their-filter\n' })
  const env = { PATH: `${bin}${delimiter}${process.env.PATH}`, CLAUDE_PROJECT_DIR: top }
  const there = { session_id: 'sub', cwd: top }
  const propose = { ...there, tool_name: 'mcp__beckon__propose_scope' }
  const countBaselines = () => keptBaselines(world).filter((name) => name.endsWith('.json')).length
  await world.run('claude', world.event('PostToolUse', propose), { env })
  await until(async () => {
    if (countBaselines() === 2) return true
    await world.run('claude', after('true', there), { env })
    return false
  })
  put(top, { 'file.txt': '2' })
  let out = ''
  await until(async () => {
    out = (await world.run('claude', after('make', there), { env })).out
    return out !== ''
  })
  expect(JSON.parse(out).hookSpecificOutput.additionalContext).toStartWith(
    changedOutside('"file.txt"'),
  )
  expect(readdirSync(home)).not.toContain('ran')
})

test('a work tree that the session enters is looked at from then on', async () => {
  using world = hookWorld()
  const { project, home } = world
  const tree = join(home, 'tree')
  const { heard, readNotice } = await gitSession(world, () =>
    git(project, 'worktree', 'add', '-q', '-b', 'side', tree),
  )
  put(tree, { early: '' })
  const there = { cwd: tree }
  // Whatever is there at first sight is what there was.
  const baselines = () =>
    keptBaselines(world)
      .filter((name) => name.endsWith('.json'))
      .map((name) => statSync(join(world.state, 'baseline', name)).ino)
  const first = baselines()
  await until(async () => {
    expect(await readNotice('make', there)).toBe('')
    return baselines()[0] !== first[0]
  })
  put(tree, { late: '', 'src/a.ts': 'fine' })
  let notice = ''
  await until(async () => {
    notice = await readNotice('make', there)
    return notice !== ''
  })
  expect(notice).toStartWith(changedOutside('"late"'))
  put(project, { 'README.md': 'changed' })
  expect(await heard()).toStartWith(changedOutside('"README.md"'))
})

test('a session in a folder of a repository is told of the whole repository', async () => {
  using world = hookWorld()
  const { project } = world
  const { heard } = await gitSession(world)
  put(project, { 'README.md': 'changed', 'src/b.ts': '' })
  const below = { env: { CLAUDE_PROJECT_DIR: join(project, 'src') } }
  expect(await heard()).toContain('README.md')
  const other = { session_id: 'below', cwd: join(project, 'src') }
  world.server.contract = contract({ correlationId: 'q_2', allowedPaths: ['**/*.ts'] })
  const propose = { ...other, tool_name: 'mcp__beckon__propose_scope' }
  await world.run('claude', world.event('PostToolUse', propose), below)
  put(project, { 'big.txt': 'changed', 'src/c.ts': '', 'infra/prod.tf': '' })
  let out = ''
  await until(async () => {
    out = (await world.run('claude', world.event('PostToolUse', { ...other, ...LOOK }), below)).out
    return out !== ''
  })
  expect(JSON.parse(out).hookSpecificOutput.additionalContext).toStartWith(
    changedOutside('"big.txt", "infra/prod.tf"'),
  )
})

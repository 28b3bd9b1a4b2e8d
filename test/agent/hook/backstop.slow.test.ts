import { expect, test } from 'bun:test'
import { chmodSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import {
  changedOutside,
  FILES,
  gitSession,
  keptBaselines,
  SCOPE,
} from '../../support/git-session.ts'
import { hookWorld, NOTHING } from '../../support/hook-world.ts'
import { git, put, repository } from '../../support/repository.ts'
import { until } from '../../support/until.ts'

test('what a command changed outside the scope is told to the model and to a person, once', async () => {
  using world = hookWorld()
  const { heard, readNotice } = await gitSession(world)
  put(world.project, {
    'src/a.ts': 'within',
    'README.md': 'changed',
    'infra/prod.tf': 'x',
    new: '',
  })
  const notice = await heard()
  expect(notice).toStartWith(changedOutside('"README.md", "infra/prod.tf" (rule infra/**), "new"'))
  expect(notice).toContain('do not undo it without asking')
  await until(() => world.server.notes.length > 0)
  expect(world.server.notes).toEqual([
    {
      title: 'Claude Code: 3 files changed outside the scope',
      body: 'Not covered by the scope of this session: README.md, infra/prod.tf, new',
      agentName: 'Claude Code - proj',
      machineId: 'm_test',
      sessionId: '0b7bef46-da65-4242-81f1-aa383b8f9463',
      context: {
        type: 'error',
        summary: 'Files changed while the session went on that its scope does not cover.',
        filesChanged: ['README.md', 'infra/prod.tf', 'new'],
        nextSteps:
          'Nothing was put back. See whether the agent did this or you, and undo what should not be.',
      },
    },
  ])
  put(world.project, { 'README.md': 'changed again' })
  expect(await readNotice()).toBe('')
  put(world.project, { other: '' })
  expect(await heard()).toStartWith(changedOutside('"other"'))
})

test('what was changed before the scope is no change, until it is changed again', async () => {
  using world = hookWorld()
  const { project } = world
  const { heard, readNotice } = await gitSession(world, () =>
    put(project, { 'README.md': 'of the person', draft: 'v1', 'big.txt': 'mine', kept: '1' }),
  )
  expect(await readNotice()).toBe('')
  utimesSync(join(project, 'README.md'), 1, 1)
  git(project, 'add', 'kept')
  expect(await readNotice()).toBe('')
  put(project, { draft: 'v2' })
  expect(await heard()).toStartWith(changedOutside('"draft"'))
  git(project, 'checkout', '-q', 'big.txt')
  expect(await heard()).toStartWith(changedOutside('"big.txt"'))
  rmSync(join(project, 'README.md'))
  expect(await heard()).toStartWith(changedOutside('"README.md"'))
  chmodSync(join(project, 'kept'), 0o755)
  expect(await heard()).toStartWith(changedOutside('"kept"'))
})

test('the end of a turn is a look as well; the client has no place for text there', async () => {
  using world = hookWorld()
  await gitSession(world)
  put(world.project, { 'README.md': 'changed' })
  await until(async () => {
    expect(await world.run('claude', world.event('Stop'))).toEqual(NOTHING)
    return world.server.notes.length > 0
  })
  expect(world.server.notes[0]).toMatchObject({ context: { filesChanged: ['README.md'] } })
})

test('a command that failed is looked at as well, where the client has a place for text', async () => {
  using world = hookWorld()
  const { after } = await gitSession(world)
  put(world.project, { 'README.md': 'changed' })
  const failed = after('make', { hook_event_name: 'PostToolUseFailure', error: 'Exit code 1' })
  const { out } = await world.run('claude', failed)
  expect(JSON.parse(out).hookSpecificOutput).toMatchObject({
    hookEventName: 'PostToolUseFailure',
    additionalContext: expect.stringContaining('README.md'),
  })
})

test('what a command committed is told as well, packed or not; what it found and committed is not', async () => {
  using world = hookWorld()
  const { project } = world
  const { heard, readNotice } = await gitSession(world, () => put(project, { 'draft.md': 'mine' }))
  git(project, 'add', 'draft.md')
  git(project, 'commit', '-qm', 'mine')
  expect(await readNotice()).toBe('')
  put(project, { 'README.md': 'changed', 'src/a.ts': 'in scope' })
  git(project, 'commit', '-qam', 'theirs')
  git(project, 'pack-refs', '--all')
  expect(await heard()).toStartWith(changedOutside('"README.md"'))
  expect(await readNotice()).toBe('')
})

test('what was allowed at the terminal is not told; what else the command did is', async () => {
  using world = hookWorld()
  const { heard, after } = await gitSession(world)
  const { project, event, run } = world
  put(project, { 'README.md': 'by the editor', 'lib/x': '', 'lib/y': '', 'big.txt': 'x' })
  const edited = { tool_name: 'Edit', tool_input: { file_path: join(project, 'README.md') } }
  expect(await run('claude', event('PostToolUse', edited))).toEqual(NOTHING)
  expect(await heard('cp -r /tmp/x lib && make')).toStartWith(changedOutside('"big.txt", "lib/y"'))
  expect(await run('claude', after('true'))).toEqual(NOTHING)
})

test('without a scope, without git, and outside of a repository nothing is said or kept', async () => {
  using none = hookWorld()
  repository(none.project, FILES)
  put(none.project, { 'README.md': 'changed' })
  const look = { tool_name: 'Bash', tool_input: { command: 'make' } }
  expect(await none.run('claude', none.event('PostToolUse', look))).toEqual(NOTHING)
  expect(keptBaselines(none)).toEqual([])

  using plain = hookWorld()
  await plain.ratify('claude', SCOPE)
  put(plain.project, { 'README.md': 'new' })
  expect(await plain.run('claude', plain.event('PostToolUse', look))).toEqual(NOTHING)
  expect(await plain.run('claude', plain.event('Stop'))).toEqual(NOTHING)
  expect(keptBaselines(plain)).toEqual([])

  using bare = hookWorld()
  await gitSession(bare)
  put(bare.project, { 'README.md': 'changed' })
  const env = { PATH: `${bare.project}:.:` }
  put(bare.project, { git: '#!/bin/sh\ntouch ran\n' })
  chmodSync(join(bare.project, 'git'), 0o755)
  expect(await bare.run('claude', bare.event('PostToolUse', look), { env })).toEqual(NOTHING)
  expect(readdirSync(bare.project)).not.toContain('ran')
  expect(bare.server.notes).toEqual([])
})

test('nothing that the repository names is run', async () => {
  using world = hookWorld()
  const { project, home } = world
  const trap = join(home, 'trap')
  put(home, { trap: `#!/bin/sh\necho "$0" >> ${home}/ran\ncat\n` })
  chmodSync(trap, 0o755)
  const { heard } = await gitSession(world, () => {
    put(project, { '.gitattributes': '* filter=evil\n*.md filter=a.b\n' })
    put(project, { '.git/more': `[filter "a.b"]\n\tprocess = ${trap}\n\trequired = true\n` })
    git(project, 'config', 'core.fsmonitor', trap)
    git(project, 'config', 'filter.evil.clean', trap)
    git(project, 'config', 'filter.evil.required', 'true')
    git(project, 'config', 'include.path', 'more')
    git(project, 'config', 'core.hooksPath', home)
    git(project, 'config', 'status.submoduleSummary', 'true')
    put(home, { 'post-index-change': `#!/bin/sh\necho "$0" >> ${home}/ran\n` })
    chmodSync(join(home, 'post-index-change'), 0o755)
  })
  put(project, { 'README.md': 'changed' })
  expect(await heard()).toContain('README.md')
  expect(readdirSync(home)).not.toContain('ran')
  // The traps do spring for those who do not look out.
  git(project, 'config', '--unset', 'include.path')
  git(project, '-c', 'filter.evil.required=false', 'status')
  expect(readdirSync(home)).toContain('ran')
})

test('where the repository says that its files are elsewhere, it is not believed', async () => {
  using world = hookWorld()
  const { readNotice } = await gitSession(world, () => {
    put(world.home, { 'elsewhere/secret': '' })
    git(world.project, 'config', 'core.worktree', join(world.home, 'elsewhere'))
  })
  put(world.project, { other: '' })
  const env = { GIT_DIR: '/nowhere', GIT_CONFIG_COUNT: 'x', GIT_INDEX_FILE: '/nowhere' }
  let notice = ''
  await until(async () => {
    const look = { tool_name: 'Bash', tool_input: { command: 'make' } }
    notice = (await world.run('claude', world.event('PostToolUse', look), { env })).out
    return notice !== ''
  })
  expect(notice).toContain('\\"other\\"')
  expect(notice).not.toContain('secret')
  expect(await readNotice()).toBe('')
})

import { expect, test } from 'bun:test'
import { mayMatter } from '../../../src/agent/hook/decide.ts'
import { LOSSES } from '../../../src/agent/touches/git-losses.ts'
import { TOUCH_ROWS } from '../../../src/agent/touches/rows.ts'
import { readTouches } from '../../../src/agent/touches/touches.ts'

const loses = (command: string) => readTouches(command, { cwd: '/w' }).losses.length > 0

test('an open text that names a program that destroys work may destroy it', () => {
  for (const command of [
    'watch rm -rf src',
    'eval "$(cat x)"; ssh-agent git reset --hard',
    `python3 -c "import os; os.system('git reset --hard')"`,
    `node -e "spawn('rm', ['-rf', 'src'])"`,
    '$TOOL reset --hard',
    'if true; then git clean -fd',
    `: ${'a'.repeat(30_000)}; git reset --hard`,
  ])
    expect([command.slice(0, 60), loses(command)]).toEqual([command.slice(0, 60), true])
})

test('code and text in which such a word only occurs do not', () => {
  for (const command of [
    `python3 - <<'E'\nat = text.find('x')\n# find the rest\nE`,
    `node -e "list.find(x => x.git)"`,
    'eval "$x"; git status; grep -n "rm -rf" a; echo rm x',
    'source venv.sh && find . -name x',
  ])
    expect([command.slice(0, 60), loses(command)]).toEqual([command.slice(0, 60), false])
})

test('the hook looks at every program and git command that may destroy work', () => {
  const rows = Object.entries(TOUCH_ROWS).filter(
    ([, row]) => row.loses ?? row.losesInto ?? row.losesFrom,
  )
  const programs = [...rows.map(([program]) => program), 'find', 'tar', 'zip']
  const commands = [...programs, ...Object.keys(LOSSES).map((verb) => `git ${verb}`)]
  expect(commands.filter((command) => !mayMatter(`${command} a b`))).toEqual([])
})

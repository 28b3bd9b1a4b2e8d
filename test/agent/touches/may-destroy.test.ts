import { expect, test } from 'bun:test'
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

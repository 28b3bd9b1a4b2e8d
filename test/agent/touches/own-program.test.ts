import { afterAll, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTouches } from '../../../src/agent/touches/touches.ts'
import { COMMANDS } from '../../../src/cli/commands.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const temp = tempFolder()
afterAll(() => temp[Symbol.dispose]())
const folder = realpathSync(temp.path)
const source = realpathSync(join(import.meta.dir, '../../..'))
const ours = (command: string, cwd = folder) => readTouches(command, { cwd }).ours

// What the command of the first column may do from an agent's shell (docs/hooks.md).
const FOR_AGENTS: Readonly<Record<string, boolean>> = {
  serve: true,
  user: false,
  pair: false,
  key: false,
  notify: true,
  ask: true,
  wait: true,
  cancel: true,
  hook: false,
  gate: true,
  jail: true,
  mcp: true,
  setup: false,
  doctor: true,
  health: true,
  catalog: true,
  backup: false,
  restore: false,
  service: false,
  update: false,
  expose: false,
  receipts: true,
  audit: true,
  policy: false,
  migrate: true,
  completion: true,
  docs: true,
  help: true,
  version: true,
}

test('of every command of the program it is decided whether an agent may run it', () => {
  expect(COMMANDS.map(({ name }) => name).sort()).toEqual(Object.keys(FOR_AGENTS).sort())
  for (const [name, allowed] of Object.entries(FOR_AGENTS))
    expect({ name, ours: ours(`beckon ${name} x`).length }).toEqual({ name, ours: allowed ? 0 : 1 })
})

test('what only reads is let through', () => {
  for (const command of [
    'beckon setup --check',
    'beckon setup claude --undo --dry-run',
    'beckon setup --help',
    'beckon user list',
    'beckon key list --json',
    'beckon doctor',
    'beckon policy export',
    'beckon policy try policy.yaml --days 7',
    'beckon gate files -- npx files',
    'beckon gate add files --dry-run',
    'beckon service status --json',
    'beckon service logs -n 20',
    'beckon update --check',
    'beckon audit verify --json',
    'beckon ask "May I run beckon setup --undo?"',
    'echo beckon setup --undo',
    'grep -rn "beckon setup --undo" docs',
    'git commit -m "beckon setup --undo is refused"',
    "cat > notes.md <<'E'\nbeckon setup --undo\nE",
    'npm run setup',
    'docker run --name web beckon:latest serve',
    'kill 123',
    'cp -r beckon backup',
    'mv beckon setup && tar czf x.tgz beckon hook',
    'diff -r beckon backup',
    'find beckon hook -name x',
  ])
    expect({ command, ours: ours(command) }).toEqual({ command, ours: [] })
})

test('however it is spelled, it is seen', () => {
  for (const command of [
    'beckon setup claude --undo --yes',
    'beckon audit export',
    'beckon gate add files',
    'beckon policy apply policy.yaml',
    'beckon policy --data lint release',
    'beckon policy $WAY',
    'sh -c "beckon policy apply policy.yaml"',
    'node -e "spawn(`beckon`, [`policy`, `apply`])"',
    'npx beckon gate remove --all',
    'beckon gate $WAY files',
    'beckon gate files -- beckon setup --undo',
    'beckon audit $WAY',
    'beckon jail --write src -- beckon setup --undo',
    'beckon setup --url http://localhost:1 --yes',
    'beckon user reset --name list --email a@example.com --data /srv',
    'beckon user --email list reset',
    'beckon setup --undo -- --help',
    '/opt/beckon/beckon setup --undo',
    'beckon service uninstall',
    'beckon update --yes',
    './dist/beckon-linux-x64 setup --undo',
    'b"eck"on set\\up --undo',
    "$'\\x62eckon' setup --undo",
    'sudo -u ada env A=1 nohup beckon setup --undo',
    'sh -c "beckon setup --undo --yes"',
    'bash -lc \'eval "beckon setup --undo"\'',
    'B=beckon; $B setup --undo',
    'V="setup --undo"; beckon $V',
    'beckon $(echo setup) --undo',
    'alias b=beckon; b setup --undo',
    "alias b='beckon setup'; b --undo",
    'f() { beckon "$@"; beckon key create --name x; }; f',
    'for c in claude codex; do beckon setup $c --undo; done',
    'echo "setup --undo --yes" | xargs beckon',
    'echo claude | xargs -I{} beckon setup {} --undo',
    'echo "beckon setup --undo" | sh',
    'sh <<< "beckon setup --undo"',
    "bash <<'E'\nbeckon setup --undo\nE",
    "cat > x.sh <<'E'\nbeckon setup --undo\nE\nsh x.sh",
    'echo "beckon pair" > x.sh && . ./x.sh',
    'echo "beckon setup --undo" | at now',
    'find . -name x -exec beckon setup --undo \\;',
    'cp /usr/bin/beckon /tmp/b && /tmp/b setup --undo',
    'ln -s "$HOME/bin/beckon" ./tool; ./tool setup --undo',
    'npx -y beckon setup --undo',
    'bunx beckon@latest setup --undo',
    'npm exec -- beckon setup --undo',
    'docker exec web beckon user reset --email a@example.com',
    'ssh host beckon key create --name x',
    'timeout 5 watch beckon pair',
    'git -c alias.x="!beckon setup --undo" x',
    'pkill -f beckon',
    'kill $(pgrep beckon)',
    'pgrep -f "beckon hook" | xargs kill',
    'systemctl --user stop beckon',
    'docker stop beckon',
    'echo "{}" | beckon hook claude',
    'python3 -c "import os; os.system(\'beckon setup --undo\')"',
    "node -e \"require('child_process').execFileSync('beckon',['user','reset'])\"",
  ])
    expect({ command, ours: ours(command).length > 0 }).toEqual({ command, ours: true })
})

test('`bun src/main.ts` is read as Beckon’s own program', () => {
  for (const command of [
    'bun src/main.ts setup --undo',
    'bun run src/main.ts setup --undo',
    'npx -y bun src/main.ts setup --undo',
    'bun run beckon setup --undo --yes',
    'npm run beckon -- setup --undo',
    'cd src && bun ./main.ts key create --name x',
  ])
    expect({ command, ours: ours(command, source).length > 0 }).toEqual({ command, ours: true })
  expect(ours('bun src/main.ts setup --check', source)).toEqual([])
  expect(ours('bun src/main.ts setup --undo', folder)).toEqual([])
})

test('a script that lies there is read before it runs', () => {
  mkdirSync(join(folder, 'bin'))
  const script = join(folder, 'bin/tidy')
  writeFileSync(script, '#!/usr/bin/env bash\ncd /tmp\nbeckon setup --undo --yes\n')
  chmodSync(script, 0o755)
  symlinkSync(script, join(folder, 'again'))
  writeFileSync(join(folder, 'loop.sh'), 'sh loop.sh\nsh loop.sh\n')
  for (const command of ['bin/tidy', './again', 'sh bin/tidy', `bash ${script}`, '. bin/tidy'])
    expect({ command, ours: ours(command) }).toEqual({ command, ours: ['beckon setup --undo'] })
  expect(ours('sh loop.sh')).toEqual([])
})

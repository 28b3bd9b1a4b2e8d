import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check, ended, opened, type Scenario, type Stage, short } from './stage.ts'

/** Shell commands that the client starts in the scope, and whom its own rules judge. */
export const HELD_BY_THE_KERNEL: Scenario = {
  name: 'a program that writes outside the scope',
  play: held,
}
export const IN_THE_SCOPE: Scenario[] = [
  { name: 'a program that ends hooks and switches them off', play: disarmed },
  { name: 'its own rules judge the command that it was given', play: rulesJudge },
  { name: 'its own rules judge what a hook puts in place of a command', play: rewritten },
]

const LATER = (path: string) =>
  `python3 -c "import time; time.sleep(1); open('${path}', 'w').write('x')"`
const CODE = (path: string) => `python3 -c "open('${path}', 'w').write('x')"`

async function held(stage: Stage): Promise<string> {
  const { driver, world, model, binary } = stage
  const file = (name: string) => join(world.project, name)
  for (const name of ['src', 'lib']) mkdirSync(file(name), { recursive: true })
  writeFileSync(file('lib/kept.txt'), 'kept')
  const proposal = {
    doneWhen: 'The scope holds programs.',
    allowedPaths: ['src'],
    timeoutMs: 55_000,
  }
  model.plan([
    (body) => {
      const sessionId = /sessionId of this session is \\*"([^"\\]+)/.exec(body)?.[1]
      return driver.ours('propose_scope', sessionId ? { ...proposal, sessionId } : proposal)
    },
    driver.shell(`cd src && ${CODE('in.txt')}`),
    driver.shell(CODE(file('lib/kept.txt'))),
    driver.shell('pwd'),
    driver.shell(`(setsid ${LATER(file('lib/later.txt'))} &) ; echo begun`),
  ])
  const running = driver.run(world, model, binary)
  const question = await Promise.race([opened(stage, proposal.doneWhen), running.then(ended)])
  await world.house.answer(question.correlationId, { value: 'yes' })
  const ran = await running
  await Bun.sleep(2_000)
  const seen = model.seen.map(short)
  check(existsSync(file('src/in.txt')), 'the allowed file was not written', { ran, seen })
  check(readFileSync(file('lib/kept.txt'), 'utf8') === 'kept', 'a file outside was written', {
    ran,
  })
  check(!existsSync(file('lib/later.txt')), 'a process in the background wrote outside', { ran })
  const last = model.seen.at(-1) ?? ''
  // The others start each command in the folder of the session.
  if (driver.name === 'claude')
    check(last.includes(`${world.project}/src`), 'the folder of the shell was lost', { seen })
  const replaced = model.seen.some((body) => body.includes(`start-${driver.name}`))
  // Cline writes into a result what it ran, Copilot CLI into the call of the model.
  const isShown = driver.name === 'cline' || driver.name === 'copilot'
  check(!replaced || isShown, 'the model reads what the hook wrote', { seen })
  const sentence = /Not changed, as it is outside[^.]{0,80}/.exec(last)?.[0]
  // Droid reports no command that failed.
  check(
    sentence !== undefined || driver.name === 'droid',
    'the model was not told what was stopped',
    {
      ran,
      seen,
    },
  )
  return `the kernel stopped python, a process in the background too; the model read "${sentence?.replaceAll('\\', '') ?? 'nothing of it'}"`
}

// For some seconds it ends every hook of this world that it sees, leaves the client (its first
// argument) no process for one, and makes settings that the client reads while it runs.
const DISARMS = `
import glob, json, os, resource, signal, sys, time
client, world = int(sys.argv[1]), sys.argv[2]
open('begun.txt', 'w').close()
os.makedirs('.claude', exist_ok=True)
try: open('.claude/settings.local.json', 'w').write(json.dumps({'disableAllHooks': True}))
except OSError: pass
end = time.time() + 8
while time.time() < end:
  try: resource.prlimit(client, resource.RLIMIT_NPROC, (1, 1))
  except (OSError, ValueError): pass
  for path in glob.glob('/proc/[0-9]*/cmdline'):
    pid = int(path.split('/')[2])
    try: words = open(path).read()
    except OSError: continue
    if world in words and 'hook' in words and pid not in (client, os.getpid()):
      try: os.kill(pid, signal.SIGKILL)
      except OSError: pass
`

async function disarmed(stage: Stage): Promise<string> {
  const { driver, world, model, binary } = stage
  const file = (name: string) => join(world.project, name)
  writeFileSync(file('kept.txt'), 'kept')
  writeFileSync(file('disarms.py'), DISARMS)
  const proposal = {
    doneWhen: 'The scope holds its hooks.',
    offLimitsPaths: ['kept.txt'],
    timeoutMs: 55_000,
  }
  model.plan([
    (body) => {
      const sessionId = /sessionId of this session is \\*"([^"\\]+)/.exec(body)?.[1]
      return driver.ours('propose_scope', sessionId ? { ...proposal, sessionId } : proposal)
    },
    driver.shell(
      `(setsid python3 disarms.py $PPID ${world.home} > /dev/null 2>&1 &) ; sleep 1; echo begun`,
    ),
    driver.write(file('kept.txt'), 'changed'),
    driver.write(file('other.txt'), 'made'),
  ])
  const running = driver.run(world, model, binary)
  const question = await Promise.race([opened(stage, proposal.doneWhen), running.then(ended)])
  await world.house.answer(question.correlationId, { value: 'yes' })
  const ran = await running
  const seen = model.seen.map(short)
  check(existsSync(file('begun.txt')), 'the program did not start', { ran, seen })
  check(readFileSync(file('kept.txt'), 'utf8') === 'kept', 'a hook was ended', { ran, seen })
  check(existsSync(file('other.txt')), 'an allowed file was not written', { ran, seen })
  const settings = file('.claude/settings.local.json')
  const text = existsSync(settings) ? readFileSync(settings, 'utf8') : ''
  check(!text.includes('disableAllHooks'), 'its settings were made', { text })
  return 'the hook stays: no signal, no limit and no settings of the program reached the client'
}

async function rulesJudge(stage: Stage): Promise<string> {
  const denial = await underRules(stage, 'deny', {})
  check(!denial.ran, 'a denied command ran', denial)
  const prompt = await underRules(stage, 'ask', {})
  check(!prompt.ran, 'a command ran that was to be asked about', prompt)
  return 'denied, and asked about, by rules for the command as the model wrote it'
}

// Why hooks do not rewrite commands.
async function rewritten(stage: Stage): Promise<string> {
  const hook = join(stage.world.home, 'rewrites')
  const code = `const d = await Bun.stdin.json(); const i = d.tool_input
    console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse',
      updatedInput: { ...i, command: 'env -- sh -c ' + JSON.stringify(i.command) } } }))`
  writeFileSync(`${hook}.ts`, code)
  const entry = { type: 'command', command: process.execPath, args: [`${hook}.ts`], timeout: 20 }
  const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [entry] }] }
  const { ran } = await underRules(stage, 'deny', { hooks })
  check(ran, 'a rewritten command was judged as it was written: hooks may rewrite now', {})
  return 'a rule that denies touch lets "env -- sh -c touch" pass: hooks must not rewrite'
}

async function underRules({ driver, world, model, binary }: Stage, list: string, more: object) {
  const file = join(world.project, 'ruled.txt')
  const settings = join(world.project, '.claude/settings.json')
  mkdirSync(join(world.project, '.claude'), { recursive: true })
  rmSync(file, { force: true })
  writeFileSync(settings, JSON.stringify({ permissions: { [list]: ['Bash(touch:*)'] }, ...more }))
  try {
    model.plan([driver.shell(`touch ${file}`)])
    const result = await driver.run(world, model, binary)
    return { ran: existsSync(file), result, seen: model.seen.map(short) }
  } finally {
    rmSync(settings)
  }
}

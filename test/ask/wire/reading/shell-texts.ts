/** Chooses among what it is given, the same for the same seed. */
export type Choose = <T>(list: readonly T[]) => T

export function choosing(seed: number): Choose {
  let state = seed >>> 0 || 1
  return (list) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return list[Math.floor((state / 2 ** 32) * list.length)] as (typeof list)[number]
  }
}

const PROGRAMS = [
  'git',
  'npm',
  'docker',
  'kubectl',
  'rm',
  'ls',
  'cat',
  'grep',
  'wc',
  'echo',
  'touch',
  'make',
  'go',
  'cp',
  'nosuch',
]
const WORDS = [
  'push',
  'status',
  'test',
  'ps',
  '-f',
  '-n',
  '--',
  'x',
  'x.log',
  'src',
  './x',
  '1',
  'publish',
  'log',
  'get',
  '-rf',
  'run',
  'build',
  '--all',
  'a=b',
  '-C',
]
const NAMES = ['a', 'b', 'n', 'i', 'x', 'HOME', 'f']

/** A text of shell commands: the forms that shells have, in any nesting. */
export function shellText(choose: Choose, depth = 3): string {
  const many = choose([1, 1, 2, 3])
  return Array.from({ length: many }, () => list(choose, depth)).join(
    choose(['; ', '\n', ' & ', '; ']),
  )
}

function list(choose: Choose, depth: number): string {
  const parts = Array.from({ length: choose([1, 1, 1, 2, 3]) }, () => command(choose, depth))
  return parts.reduce((all, part) => all + choose([' && ', ' || ', ' | ', ' && ']) + part)
}

function command(choose: Choose, depth: number): string {
  if (depth <= 0) return simple(choose, depth)
  const inner = () => shellText(choose, depth - 1)
  const name = choose(NAMES)
  return choose([
    () => simple(choose, depth),
    () => simple(choose, depth),
    () => simple(choose, depth),
    () => assignment(choose, depth),
    () => assignment(choose, depth),
    () => `(${inner()})`,
    () => `{ ${inner()}; }`,
    () => `if ${list(choose, depth - 1)}; then ${inner()}; else ${inner()}; fi`,
    () => `for ${name} in ${words(choose, depth)}; do ${inner()}; done`,
    () => `case ${word(choose, depth)} in a|x*) ${inner()} ;; *) ${inner()} ;; esac`,
    () => `f() { ${inner()}; }; ${choose(['', `${inner()}; `])}f ${words(choose, depth)}`,
    () => `function f { ${inner()}; }; f ${words(choose, depth)}`,
    () => `eval ${quoted(inner())}`,
    () => `${choose(['sh', 'bash'])} -c ${quoted(inner())}`,
    () => `${choose(['bash', 'sh'])} <<'E'\n${inner()}\nE\n`,
    () => `trap ${quoted(inner())} EXIT`,
    () =>
      `${choose(['env', 'nice', 'nohup', 'timeout 5', 'command', 'exec', 'builtin', 'env -i', 'time'])} ${simple(choose, depth)}`,
    () => `find . -name x.log -exec ${simple(choose, 0)} {} \\;`,
    () => `echo x | xargs ${choose(['', '-I{} ', '-n1 '])}${simple(choose, 0)}`,
    () => `echo "$(${inner()})"`,
    () => `while ${simple(choose, depth)}; do ${inner()}; break; done`,
    () => `set -- ${words(choose, depth)}; ${simple(choose, depth)} $1 "$@"`,
    () => `[[ ${word(choose, depth)} == x ]] && ${simple(choose, depth)}`,
    () => `((${choose(['n=3', 'n++', 'i+1', 'a', 'n>2'])})) && ${simple(choose, depth)}`,
    () => `${simple(choose, depth)} <<E\n${word(choose, depth)}\nE\n`,
    () => `read ${name} <<< ${word(choose, depth)}; ${simple(choose, depth)} $${name}`,
    () => `${name}=(${words(choose, depth)}); ${simple(choose, depth)} "\${${name}[0]}"`,
    () => `echo ${word(choose, depth)} | while read ${name}; do ${inner()}; done`,
    () => `local ${name}=${word(choose, 0)}; ${simple(choose, depth)} $${name}`,
    () =>
      `${name}=${word(choose, 0)} ${choose(['f', 'eval', 'command', 'git'])} ${quoted(simple(choose, 0))}`,
  ])()
}

function assignment(choose: Choose, depth: number): string {
  const name = choose(NAMES.filter((one) => one !== 'HOME'))
  const value = choose([
    word(choose, depth),
    choose(PROGRAMS),
    choose(WORDS),
    '~',
    '~/x',
    '$((1+2))',
    '$n',
    '"$a x"',
  ])
  return choose([
    `${name}=${value}`,
    `${name}=${value}; ${simple(choose, depth)} $${name}`,
    `${name}=${value}; $${name} ${words(choose, depth)}`,
    `export ${name}=${value}`,
    `${name}+=${value}`,
    `unset ${name}`,
    `${name}=${value} && ${simple(choose, depth)} "$${name}"`,
    `declare ${name}=${value}`,
  ])
}

function simple(choose: Choose, depth: number): string {
  const program = choose([
    choose(PROGRAMS),
    choose(PROGRAMS),
    choose(PROGRAMS),
    choose(PROGRAMS),
    spell(choose(PROGRAMS), choose),
    `$${choose(NAMES)}`,
    `./scripts/x`,
  ])
  const redirect = choose([
    '',
    '',
    '',
    '',
    ' > x.log',
    ' 2>&1',
    ' >> y.log',
    ' < x.log',
    ' 2>/dev/null',
  ])
  return `${program} ${words(choose, depth)}${redirect}`
}

function words(choose: Choose, depth: number): string {
  return Array.from({ length: choose([0, 1, 2, 2, 3]) }, () => word(choose, depth)).join(' ')
}

function word(choose: Choose, depth: number): string {
  const name = choose(NAMES)
  const plain = choose(WORDS)
  const nested = depth > 0 ? simple(choose, depth - 1) : 'echo x'
  return choose([
    plain,
    plain,
    plain,
    spell(plain, choose),
    `"${plain}"`,
    `'${plain} y'`,
    `$${name}`,
    `"$${name}"`,
    `\${${name}}`,
    `"\${${name}}/x"`,
    `$${name}.ts`,
    `"\${${name}:-${plain}}"`,
    `\${#${name}}`,
    `$((1+2))`,
    `$((n*2))`,
    `{${plain},x}`,
    `{1..3}`,
    `*.log`,
    `src/*`,
    `~/x`,
    `$HOME/x`,
    `"$HOME"`,
    `$(${nested})`,
    `"$(${nested})"`,
    `$#`,
    `"$@"`,
    `$1`,
    `\${${name}%x}`,
    `$'\\x70ush'`,
    `""`,
    `-$${name}`,
    `$${name}[1]`,
    `<(${nested})`,
  ])
}

/** The same word in other letters: quotes and backslashes that a shell takes away. */
function spell(text: string, choose: Choose): string {
  const at = choose([0, 1, 2])
  const head = text.slice(0, at)
  const tail = text.slice(at)
  return choose([`${head}""${tail}`, `${head}\\${tail}`, `'${head}'${tail}`, `${head}"${tail}"`])
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

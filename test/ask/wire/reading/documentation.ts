import { tempFolder } from '../../../support/temp-folder.ts'

const PATH = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin'
const RUNS_AT_ONCE = 4

/** The folders that a program sees, none of a home. */
const READ_ONLY = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/opt'].flatMap(bind)
const SETTINGS = ['alternatives', 'manpath.config', 'ld.so.cache', 'java-17-openjdk', 'perl']

function bind(path: string): string[] {
  return ['--ro-bind-try', path, path]
}

/** Where a program is that the sandbox can run; undefined: it is not installed. */
export function findInstalled(program: string): string | undefined {
  return Bun.which(program, { PATH }) ?? undefined
}

/**
 * What the installed programs say of themselves, by program and subcommand: manual page and help.
 * They run without network and without a home.
 */
export async function readDocumentation(names: readonly string[]): Promise<Map<string, string>> {
  const all = new Map<string, string>()
  const left = [...names]
  const read = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      all.set(name, await readOne(name))
    }
  }
  await Promise.all(Array.from({ length: RUNS_AT_ONCE }, read))
  return all
}

// Where a program says what several of its subcommands take.
const SHARED: Record<string, string> = {
  go: 'go help build; go help testflag; go help $2; go help mod $3; go tool $3 -h',
  kubectl: 'kubectl options',
  npm: 'man -l "$(npm root -g)/npm/man/man7/config.7"; npm help config',
  terraform: 'terraform $2 -help',
  openssl: 'openssl dgst -list',
  rustc: 'rustc --help -v',
  curl: 'curl --help all',
  java: 'java -X; java --help-extra',
  apt: 'man apt; man apt-get',
  'apt-cache': 'man apt-cache; man apt-get',
}

const SCRIPT = `
man "$(echo "$*" | tr ' ' -)" || { [ $# -gt 2 ] && man "$1-$2"; }
"$@" --help </dev/null; "$@" -h </dev/null; "$@" -help </dev/null
`

async function readOne(name: string): Promise<string> {
  using folder = tempFolder()
  const [program = ''] = name.split(' ')
  const child = Bun.spawn(
    [
      ...['bwrap', '--unshare-all', '--die-with-parent', '--clearenv', ...READ_ONLY],
      ...SETTINGS.flatMap((file) => bind(`/etc/${file}`)),
      ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/home/u'],
      ...['--chdir', '/home/u', '--setenv', 'HOME', '/home/u', '--setenv', 'PATH', PATH],
      ...[
        '--setenv',
        'MANWIDTH',
        '1000',
        '--setenv',
        'MANPAGER',
        'cat',
        '--setenv',
        'PAGER',
        'cat',
      ],
      ...[
        '--setenv',
        'COLUMNS',
        '1000',
        '--setenv',
        'LC_ALL',
        'C.UTF-8',
        '--setenv',
        'GIT_PAGER',
        'cat',
      ],
      ...[
        'timeout',
        '60',
        'sh',
        '-c',
        `${SCRIPT}${SHARED[program] ?? ''}`,
        'sh',
        ...name.split(' '),
      ],
    ],
    { stdout: 'pipe', stderr: 'pipe', stdin: 'ignore', cwd: folder.path },
  )
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return plain(`${out}\n${error}`)
}

/** Without the marks of a terminal, and with every spelling of a pair of options. */
function plain(text: string): string {
  return Bun.stripANSI(text)
    .replace(/.[\b]/g, '')
    .replace(/[\u2010\u2011\u2212]/g, '-')
    .replace(/--\[no-\]([\w-]+)/g, '--$1, --no-$1')
    .replace(/(?<=\s)-\[no\](\w+)/g, '-$1, -no$1')
    .replace(/--\[no\](\w+)/g, '--$1, --no$1')
    .replace(/--\(no-\)([\w-]+)/g, '--$1, --no-$1')
}

export type Taken = 'none' | 'value' | 'attached'

/**
 * In what ways an option occurs in a text, by what follows it: where an entry or a bracket of a
 * synopsis begins with it, else anywhere. Empty: it does not occur.
 */
export function waysOf(option: string, text: string): Set<Taken> {
  const name = option.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const pattern = new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'g')
  const [entries, others] = [new Set<Taken>(), new Set<Taken>()]
  for (const line of text.split('\n')) {
    for (const { index, 0: word } of line.matchAll(pattern)) {
      const [before, after] = [line.slice(0, index), line.slice(index + word.length)]
      if (ENTRY.test(before)) for (const way of waysOfEntry(after)) entries.add(way)
      else if (/\[(-[^\]]*\| ?)?$/.test(before)) entries.add(wayOf(after))
      else others.add(wayOf(after))
    }
  }
  if (entries.size > 0) return entries
  if (others.size === 0 && isInCluster(option, text)) others.add('none')
  return others
}

// What is before one of the names of an option: `-o, --output FILE`, `--output FILE, -o`.
const ENTRY = /^[\s*•|[]*(--?[^ ,]*([ =][^ ,]+)?( *[,|/] *| or | +))*$/

/** What an option takes: what follows it, or one of its other names, `-A, --after=N`. */
function waysOfEntry(after: string): Taken[] {
  const [entry = ''] = after.split(/\s{2,}|\t|(?<=\]) (?=\[)/, 1)
  const names = [...entry.matchAll(/(?<![\w-])--?[\w@#][\w.-]*/g)]
  for (const from of [0, ...names.map(({ index, 0: name }) => index + name.length)]) {
    const rest = after.slice(from)
    // `--watch=false` is spelled with a value or without.
    if (/^=(true|false)\b/.test(rest)) return ['none', 'attached']
    const way = wayOf(rest)
    if (way !== 'none') return [way]
  }
  return ['none']
}

/** `[-abc]` in a synopsis. */
function isInCluster(option: string, text: string): boolean {
  if (!/^-[A-Za-z\d@#]$/.test(option)) return false
  const letter = option.slice(1)
  return [...text.matchAll(/(?<![\w-])-([A-Za-z\d@#]{2,})(?![\w-])/g)].some(([, letters = '']) =>
    letters.includes(letter),
  )
}

function wayOf(rest: string): Taken {
  if (/^=(true|false)\b/.test(rest)) return 'none'
  if (/^=(\[\]|\[\()/.test(rest)) return 'value'
  if (/^ ?\[([=<:]| ?[A-Za-z]+\])|^=\[|^#/.test(rest)) return 'attached'
  if (/^( ?=|:? ?<|:\S| #| [A-Z][A-Z_]*\b(?! [a-z])| [{('"])/.test(rest)) return 'value'
  if (/^ (?!or\b|and\b|is\b|option|flag|to\b)[a-z][\w:|./-]*(?=$|\s{2,}|\t|\s*[\],|)])/.test(rest))
    return 'value'
  return 'none'
}

import { type Arg, literalArg, type Notes, type Places } from './notes.ts'
import { hasFlag, readOptions, words } from './options.ts'

/**
 * A program that rewrites the files named on its command line. `if`: only with one of these options;
 * `unless`: not with one of these. `takes`: options with a value. `verbs`: the subcommands that do
 * this. `else`: without a path it rewrites the folder that it runs in.
 */
type Formatter = {
  if?: string
  unless?: string
  takes?: string
  verbs?: RegExp
  else?: true
}

const CHECKS = '--check -c --diff'
const FIX: Formatter = { if: '--fix', takes: '-c --config --ignore-path -o --output' }

const FORMATTERS: Readonly<Record<string, Formatter | readonly Formatter[]>> = {
  alejandra: { unless: '-c --check' },
  autoflake: { if: '-i --in-place', takes: '--imports --exclude' },
  autopep8: { if: '-i --in-place', takes: '--max-line-length --select --ignore --exclude' },
  biome: {
    verbs: /^(check|format|lint|migrate)$/,
    if: '--write --fix --apply --apply-unsafe --unsafe',
    takes: '--config-path --stdin-file-path --files-max-size --max-diagnostics',
    else: true,
  },
  black: { unless: CHECKS, takes: '-l -t --line-length --target-version --config --exclude -W' },
  buf: { verbs: /^format$/, if: '-w --write', else: true },
  cargo: [
    { verbs: /^fmt$/, unless: '--check', takes: '-p --package --manifest-path', else: true },
    { verbs: /^fix$/, else: true, takes: '-p --package --manifest-path --features' },
    { verbs: /^clippy$/, if: '--fix', else: true, takes: '-p --package --features' },
  ],
  'clang-format': { if: '-i', takes: '-style --style -n -lines' },
  dart: { verbs: /^(format|fix)$/, unless: '--set-exit-if-changed --dry-run -n -o --output' },
  deno: { verbs: /^fmt$/, unless: '--check', takes: '--config -c --ext', else: true },
  docformatter: { if: '-i --in-place' },
  dotnet: { verbs: /^format$/, unless: '--verify-no-changes', else: true },
  dprint: { verbs: /^fmt$/, takes: '-c --config --plugins', else: true },
  eslint: {
    if: '--fix',
    takes:
      '-c -f -o --config --format --output-file --ext --rule --parser --plugin --max-warnings --ignore-pattern --ignore-path --rulesdir --cache-location --resolve-plugins-relative-to --env --global',
    else: true,
  },
  gofmt: { if: '-w', takes: '-r -cpuprofile' },
  gofumpt: { if: '-w' },
  go: [{ verbs: /^(fmt|fix)$/, unless: '-n', else: true }],
  goimports: { if: '-w', takes: '-local -srcdir' },
  'google-java-format': { if: '-i -r --replace' },
  isort: { unless: '-c --check --check-only --diff --stdout -d', takes: '-l --profile -p -s' },
  ktlint: { if: '-F --format', else: true },
  'markdownlint-cli2': { ...FIX, else: true },
  markdownlint: { ...FIX, if: '-f --fix' },
  mix: { verbs: /^format$/, unless: '--check-formatted --dry-run', else: true },
  nixfmt: { unless: '-c --check' },
  oxlint: { ...FIX, else: true },
  phpcbf: {},
  'php-cs-fixer': { verbs: /^fix$/, unless: '--dry-run', takes: '--config --rules', else: true },
  prettier: {
    if: '-w --write',
    takes:
      '--config --ignore-path --plugin --parser --log-level --stdin-filepath --tab-width --print-width --cache-location --trailing-comma --end-of-line --config-precedence',
  },
  pyupgrade: {},
  rubocop: {
    if: '-a -A -x --autocorrect --autocorrect-all --auto-correct --auto-correct-all --fix-layout',
    takes: '-c --config --only --except --format -f -o',
    else: true,
  },
  ruff: [
    { verbs: /^format$/, unless: '--check --diff', takes: '--config --exclude', else: true },
    { verbs: /^check$/, if: '--fix --fix-only', takes: '--select --ignore --config', else: true },
  ],
  rustfmt: { unless: '--check --emit', takes: '--edition --config --config-path' },
  scalafmt: { unless: '--test --check --stdout', takes: '-c --config', else: true },
  shfmt: { if: '-w --write', takes: '-i -ln --indent --language-dialect' },
  sqlfluff: { verbs: /^(fix|format)$/, takes: '--dialect --rules --config' },
  standard: { ...FIX, else: true },
  stylelint: FIX,
  stylua: { unless: '--check', takes: '-f --config-path' },
  swiftformat: { unless: '--lint --dryrun', takes: '--config --rules --swiftversion' },
  swiftlint: { if: '--fix', takes: '--config', else: true },
  taplo: { verbs: /^(fmt|format)$/, unless: '--check --diff', else: true },
  terraform: { verbs: /^fmt$/, unless: '-check -diff -write=false', else: true },
  tofu: { verbs: /^fmt$/, unless: '-check -diff -write=false', else: true },
  xo: { ...FIX, else: true },
  yapf: { if: '-i --in-place', takes: '--style -e --exclude' },
  yq: { if: '-i --inplace' },
  zig: { verbs: /^fmt$/, unless: '--check' },
}

/** Notes what a formatter rewrites; false if the program is not a formatter, or only checks. */
export function format(name: string, args: readonly Arg[], places: Places, notes: Notes): boolean {
  const known = Object.hasOwn(FORMATTERS, name) ? FORMATTERS[name] : undefined
  if (known === undefined) return false
  // `cargo +nightly fmt`.
  const given = args[0]?.text.startsWith('+') ? args.slice(1) : args
  for (const one of [known].flat() as Formatter[]) {
    if (one.verbs && !one.verbs.test(given[0]?.text ?? '')) continue
    if (writes(one, one.verbs ? given.slice(1) : given, places, notes)) return true
  }
  return false
}

function writes(one: Formatter, args: readonly Arg[], places: Places, notes: Notes): boolean {
  // After `--`, some programs take paths, others the options of a program that they start.
  const options = readOptions(args, words(one.takes))
  const flags = { ...options, flags: new Set(args.map(({ text }) => text)) }
  const has = (names: string | undefined) => hasFlag(options, names) || hasFlag(flags, names)
  if (one.if !== undefined && !has(one.if)) return false
  if (has(one.unless)) return false
  const paths = options.operands.filter(({ text }) => text !== '-' && !text.startsWith('!'))
  if (paths.length === 0 && one.else) notes.target(literalArg('.'), 'tree', places)
  for (const path of paths) rewrite(path, places, notes)
  return true
}

/**
 * Notes a file, or everything in a folder; for a pattern that the program expands itself, its
 * folder.
 */
function rewrite(path: Arg, places: Places, notes: Notes) {
  if (path.why !== undefined) {
    notes.target(path, 'write', places)
    return
  }
  const text = path.text.replace(/\/?\.\.\.$/, '') || '.'
  const from = /[*?[{]/.exec(text)?.index
  const folder = from === undefined ? text : text.slice(0, from).replace(/[^/]*$/, '') || '.'
  const isFile = from === undefined && notes.joined(literalArg(text), places).every(isFileNow)
  notes.target(literalArg(folder), isFile ? 'write' : 'tree', places)

  function isFileNow(one: string): boolean {
    return notes.holdsFile(one) || (!notes.holdsFolder(one) && /\.\w+$/.test(one))
  }
}

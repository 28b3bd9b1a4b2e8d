import type { TouchNotes } from './notes.ts'
import { baseName, type Operand, type Places } from './operand.ts'
import { list, readOptions, valuesOf } from './options.ts'

const LONG = '--output --output-file --outfile --out-file --outdir --out-dir'

/**
 * Options that name a file or a folder which is written, of programs that the reading has without
 * them or not at all.
 */
export const OUTPUTS: Readonly<Record<string, string>> = Object.fromEntries(
  `
shuf iconv base64 base32 sdiff xmllint xsltproc age rage strace ltrace perf http https xh terser svgo minify : -o --output
gpg gpg2 : -o --output --status-file --logger-file --attribute-file
tree tidy cwebp dot neato fdp sfdp circo twopi ghc swiftc browserify webpack nasm yasm : -o --output
m4 : -o --error-output --debugfile -F --freeze-state
bison yacc byacc : -o --output --output-file --defines
flex lex : -o --outfile --header-file
gcc g++ cc c++ clang clang++ gfortran as ld ld.bfd ld.gold ld.lld dmd ocamlopt ocamlc : -o -MF -Map
cloc : --out --report-file
scc : -o --output
asciidoctor : -o --out-file -D --destination-dir
rollup : -o -d --file --dir
aria2c : -o -d --out --dir -l --log --save-session
yt-dlp youtube-dl : -o -P --output --paths
tcpdump tshark dumpcap : -w
nmap : -oN -oX -oG -oA -oS
valgrind : --log-file --xml-file
kotlinc scalac hugo mdbook jekyll : -d --destination --dest-dir
jpegtran optipng : -outfile -out -dir
psql : -o --output -L --log-file
mysqldump mariadb-dump : -r --result-file -T --tab --log-error
mongodump mongoexport : -o --out
docker podman nerdctl : -o --output --iidfile --cidfile --metadata-file
terraform tofu : -out -state-out -backup
coverage : -o -d --directory
jest vitest : --outputFile --coverageDirectory --coverage.reportsDirectory
pytest py.test : --junitxml --junit-xml --basetemp
tsc : --outFile --outDir --declarationDir --tsBuildInfoFile --generateTrace --generateCpuProfile
`
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [names = '', options = ''] = line.split(' : ')
      return names.split(' ').map((name) => [name, options] as const)
    }),
)

/** Notes the files and folders that the options of a program name as its output. */
export function touchOutputs(
  program: string,
  words: readonly Operand[],
  taking: readonly string[],
  places: Places,
  notes: TouchNotes,
) {
  const name = baseName(program).replace(/-[\d.]+$/, '')
  const names = Object.hasOwn(OUTPUTS, name) ? OUTPUTS[name] : undefined
  if (names === undefined) return
  const short = names.includes('--output') ? `${names} --o --ou --out` : names
  const options = readOptions(words, [...list(short), ...taking])
  for (const value of valuesOf(options, short))
    if (value.text !== '-') notes.target(value, 'write', places)
}

/** Notes what a program that is not known names as its output, where that looks like a path. */
export function touchLikelyOutput(words: readonly Operand[], places: Places, notes: TouchNotes) {
  for (const value of valuesOf(readOptions(words, list(LONG)), LONG))
    if (/[./]/.test(value.text)) notes.target(value, 'write', places)
  for (const [at, { text, why }] of words.entries()) {
    if (why !== undefined || !/^-o([./~]|$)/.test(text)) continue
    const value = text === '-o' ? words[at + 1] : { text: text.slice(2) }
    if (value && /[./]/.test(value.text)) notes.target(value, 'write', places)
  }
}

type Build = {
  program: RegExp
  /** Options with a value in the next word. */
  takes: RegExp
  /** Options with which it writes elsewhere, or nothing. */
  unless: RegExp
  /** The name of what it writes for a file. */
  name: (stem: string, words: readonly string[]) => string
}

const BUILDS: readonly Build[] = [
  {
    program: /^([\w.]+-)*(gcc|g\+\+|cc|c\+\+|clang|clang\+\+|gfortran)(-[\d.]+)?$/,
    takes:
      /^-([ILDUlxTuzBAo]|include|isystem|iquote|idirafter|M[FTQ]|arch|target|framework|Xlinker)$/,
    unless: /^-(o.*|E|M|MM|fsyntax-only|###)$/,
    name: (stem, words) => {
      if (words.includes('-S')) return `${stem}.s`
      return words.includes('-c') ? `${stem}.o` : 'a.out'
    },
  },
  {
    program: /^([\w.]+-)*(as|ld|ld\.(bfd|gold|lld)|ocamlopt|ocamlc)$/,
    takes: /^-([ILTmzloed]|-defsym)$/,
    unless: /^(-o.*|--output(=.*)?|--version|--help)$/,
    name: () => 'a.out',
  },
  {
    program: /^(rustc|swiftc|dmd)$/,
    takes: /^(-[LlCAWDI]|--(edition|crate-type|crate-name|cfg|extern|emit|print|explain|target))$/,
    unless: /^(-o.*|--out-dir(=.*)?|--explain|--print.*|-typecheck)$/,
    name: (stem) => stem,
  },
  {
    program: /^(pdf|xe|lua)?(la)?tex$/,
    takes: /^-never$/,
    unless: /^--?(output-directory.*|version|help)$/,
    name: (stem) => `${stem}.log`,
  },
  {
    program: /^bison$/,
    takes: /^-[bLpx]$/,
    unless: /^-(o.*|-output.*)$/,
    name: (stem) => `${stem}.tab.c`,
  },
  { program: /^b?yacc$/, takes: /^-[bp]$/, unless: /^-o.*$/, name: () => 'y.tab.c' },
  {
    program: /^(f?lex)$/,
    takes: /^-[PS]$/,
    unless: /^-(o.*|t|-stdout|-outfile.*)$/,
    name: () => 'lex.yy.c',
  },
  { program: /^csplit$/, takes: /^-[bnf]$/, unless: /^-(f.*|-prefix.*)$/, name: () => 'xx00' },
]

/** Notes the file that a compiler writes into the current folder if no option names it. */
export function touchBuild(
  program: string,
  words: readonly Operand[],
  places: Places,
  notes: TouchNotes,
) {
  const build = BUILDS.find((one) => one.program.test(baseName(program)))
  if (!build) return
  const texts = words.map(({ text }) => text)
  if (texts.some((text) => build.unless.test(text))) return
  const files = words.filter(
    ({ text }, at) => !/^-./.test(text) && !build.takes.test(texts[at - 1] ?? ''),
  )
  for (const file of files.flatMap((one) => notes.expanded(one, places))) {
    const text = build.name(baseName(file.text).replace(/\.[^.]*$/, ''), texts)
    notes.target({ text }, 'write', places)
  }
}

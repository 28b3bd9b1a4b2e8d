// Languages in which `$name` and a backtick start no program. Ruby and Perl are not among them.
const CODE =
  /\.(c|cc|cpp|cs|css|dart|go|h|hpp|html|java|js|json|jsx|kt|md|mdx|mjs|mts|php|py|rs|scss|sql|svelte|swift|toml|ts|tsx|txt|vue)$/i
const FILE =
  /^(?:(?:---|\+\+\+) (?:[ab]\/)?|\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: )(.+)$/
const LINE = /^([-+ ]|@@|\*\*\* |diff --git |index [0-9a-f]|\\ No newline|$)/

/**
 * Whether a text is a change of files that no shell reads, as tools that edit files show it: every
 * line has its sign. `path`: the file that the call names.
 */
export function isPlainChange(text: string, path: string): boolean {
  const lines = text.split('\n')
  const named = lines.flatMap((line) => FILE.exec(line)?.[1] ?? [])
  return (
    lines.every((line) => LINE.test(line)) &&
    [path, ...named.filter((name) => name !== '/dev/null')].every((name) => CODE.test(name))
  )
}

/**
 * What a command does to its operands. `all`: every one. `last`: the others go to the last one, or
 * into it. `move`: the same, and the others are gone. `rest`: all but the first, which is not a path.
 * `second`: the second one alone. `none`: no operand is written.
 */
type Operands = 'all' | 'last' | 'move' | 'rest' | 'second' | 'none'

export type CommandRule = {
  operands: Operands
  /** What is done to the operands; `tree` with one of the options in `deep`. */
  touch?: 'write' | 'delete' | 'tree'
  deep?: string
  /** Options whose value is not a path that is written. */
  takes?: string
  /** Options whose value is a file that is written. */
  writes?: string
  /** Options whose value is a folder that the operands go into. */
  into?: string
  /** Options whose value is a folder, with all below it, that is written. */
  trees?: string
  /** Options whose value replaces what is otherwise the first operand. */
  firstBy?: string
  /** Options that create all operands as folders. */
  folders?: string
  /** Options with which the last operand is never a folder to put things into. */
  asFile?: string
  /** Options with which files may end up anywhere below the folder they are put into. */
  spreads?: string
  /** `host:path` is on another machine. */
  remote?: true
  /** It creates links; with these options it prints what it did. */
  links?: string
  /** A word such as `-x` is an operand. */
  modes?: true
  /** What it removes has no other copy. */
  loses?: true
  /** It writes files that its words do not name. */
  opaque?: true | 'without operands'
}

const all = (touch: 'write' | 'delete' | 'tree', rest: Partial<CommandRule> = {}): CommandRule => ({
  operands: 'all',
  touch,
  ...rest,
})
const writes = (options: string, takes = ''): CommandRule => ({
  operands: 'none',
  writes: options,
  takes,
})

/**
 * The commands that write, and how their words are to be read. Options are separated by spaces; `-`
 * stands before short ones, `--` before long ones.
 */
export const SHELL_COMMANDS: Readonly<Record<string, CommandRule>> = {
  tee: all('write', { takes: '--output-error' }),
  touch: all('write', { takes: '-d -r -t --date --reference --time' }),
  truncate: all('write', { takes: '-s -r --size --reference' }),
  mkdir: all('write', { takes: '-m --mode' }),
  mkfifo: all('write', { takes: '-m --mode' }),
  fallocate: all('write', { takes: '-l -o -p --length --offset' }),
  mktemp: { operands: 'none', opaque: true },
  split: { operands: 'none', opaque: true },
  csplit: { operands: 'none', opaque: true },
  uniq: { operands: 'second', touch: 'write', takes: '-f -s -w --skip-fields --skip-chars' },
  sponge: all('write'),
  rm: all('delete', { deep: '-r -R --recursive', loses: true }),
  unlink: all('delete', { loses: true }),
  shred: all('delete', { takes: '-n -s --iterations --size --random-source', loses: true }),
  rmdir: all('delete'),
  trash: all('tree'),
  rimraf: all('tree', { loses: true }),
  chmod: {
    operands: 'rest',
    touch: 'write',
    deep: '-R --recursive',
    firstBy: '--reference',
    modes: true,
  },
  chown: {
    operands: 'rest',
    touch: 'write',
    deep: '-R --recursive',
    firstBy: '--reference',
    takes: '--from',
  },
  chgrp: { operands: 'rest', touch: 'write', deep: '-R --recursive', firstBy: '--reference' },
  setfacl: all('write', { deep: '-R --recursive', takes: '-m -x -M -X --modify --remove' }),
  cp: {
    operands: 'last',
    deep: '-r -R -a --recursive --archive',
    into: '-t --target-directory',
    takes: '-S --suffix',
    asFile: '-T --no-target-directory',
    spreads: '--parents',
  },
  mv: {
    operands: 'move',
    into: '-t --target-directory',
    takes: '-S --suffix',
    asFile: '-T --no-target-directory',
  },
  rename: { operands: 'none', opaque: true },
  ln: {
    operands: 'last',
    into: '-t --target-directory',
    takes: '-S --suffix',
    asFile: '-n -T --no-dereference --no-target-directory',
    links: '-s --symbolic',
  },
  install: {
    operands: 'last',
    into: '-t --target-directory',
    takes: '-g -m -o -S --group --mode --owner --suffix --strip-program',
    asFile: '-T --no-target-directory',
    folders: '-d --directory',
  },
  rsync: {
    operands: 'last',
    deep: '-r -a --recursive --archive --delete',
    spreads: '-r -a -R --recursive --archive --relative --delete',
    remote: true,
    takes:
      '-e -f -B -T -M --rsh --exclude --include --filter --exclude-from --include-from --files-from --bwlimit --port --timeout --rsync-path --chmod --compare-dest --link-dest --max-size --min-size --suffix --password-file --block-size --info --debug --out-format',
    writes: '--log-file',
    trees: '--backup-dir --partial-dir --temp-dir -T',
  },
  scp: { operands: 'last', deep: '-r', remote: true, takes: '-c -F -i -J -l -o -P -S -D -X' },
  sort: writes(
    '-o --output',
    '-k -t -S -T --key --field-separator --buffer-size --temporary-directory --parallel',
  ),
  ed: all('write', { takes: '-p' }),
  ex: all('write', { takes: '-c -S -T -u' }),
  gcc: writes('-o', '-I -L -l -D -U -include -x'),
  cc: writes('-o', '-I -L -l -D -U -include -x'),
  go: writes('-o', ''),
  rustc: writes('-o', '-L -l -C -A --edition --crate-type --crate-name'),
  openssl: writes('-out -keyout', '-in -inkey -key -days -subj -config -passin -passout'),
  pandoc: writes('-o --output', '-f -t -H -B -A -V -M'),
  'ssh-keygen': writes('-f', '-t -b -C -N -P -m'),
  pip: { operands: 'none', trees: '-t --target --prefix --root', takes: '-r -c -i' },
}

/** Words before a command that change nothing about what it writes: options with a value. */
export const PREFIXES: Readonly<Record<string, string>> = {
  builtin: '',
  bunx: '',
  busybox: '',
  caffeinate: '-t -w',
  chronic: '',
  command: '',
  'cross-env': '',
  doas: '-u -C',
  env: '-u -S -C --unset --chdir --split-string',
  exec: '-a',
  ionice: '-c -n -p --class --classdata',
  nice: '-n --adjustment',
  nohup: '',
  npx: '-p --package',
  parallel: '-j -I -a -n --jobs --arg-file',
  setsid: '',
  shx: '',
  strace: '-o -e -p -s -u',
  stdbuf: '-i -o -e --input --output --error',
  sudo: '-u -g -C -D -h -p -R -r -t -T -U --user --group --chdir --host --prompt',
  time: '-f -o --format --output',
  toybox: '',
  unbuffer: '',
  timeout: '-k -s --kill-after --signal',
  xargs: '-a -d -E -I -i? -L -n -P -s --arg-file --delimiter --max-args --max-procs',
}

/** Shells: the value of `-c` and what they read from their input are commands. */
export const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'fish'])

/** Programs that run code from their arguments, and the options that give it to them. */
export const INTERPRETERS: readonly [RegExp, string][] = [
  [/^(python|pypy)[\d.]*$/, '-c'],
  [/^(node|nodejs)$/, '-e -p --eval --print'],
  [/^(bun|deno)$/, '-e -p --eval --print eval'],
  [/^perl[\d.]*$/, '-e -E -i -n -p'],
  [/^(ruby|irb)[\d.]*$/, '-e -i'],
  [/^(php|lua|luajit|osascript|Rscript|elixir|julia|tclsh|groovy|scala)[\d.]*$/, '-r -e -E'],
  [/^(pwsh|powershell)(\.exe)?$/i, '-c -Command -EncodedCommand -e -ec'],
  [/^cmd(\.exe)?$/i, '/c /k'],
]

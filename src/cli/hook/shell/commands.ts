/**
 * What a command does to its operands. `all`: every one. `last`: the others go to the last one, or
 * into it. `move`: so, and the others are gone. `rest`: all but the first, which is no path.
 * `first`: the first one alone. `none`: no operand is written.
 */
export type Operands = 'all' | 'last' | 'move' | 'rest' | 'first' | 'second' | 'none'

export type Rule = {
  operands: Operands
  /** What is done to them; `tree` with one of the options in `deep`. */
  touch?: 'write' | 'delete' | 'tree'
  deep?: string
  /** Options that take a value, which is no path that is written. */
  takes?: string
  /** Options whose value is a file that is written. */
  writes?: string
  /** Options whose value is a folder that the operands go into. */
  into?: string
  /** Options whose value is a folder, with all below it, that is written. */
  trees?: string
  /** Options without which nothing is written. */
  only?: string
  /** Options that name what otherwise the first operand does. */
  firstBy?: string
  /** Without an option of `trees`, the folder it runs in is written. */
  here?: true
}

const all = (touch: 'write' | 'delete' | 'tree', rest: Partial<Rule> = {}): Rule => ({
  operands: 'all',
  touch,
  ...rest,
})
const writes = (options: string, takes = ''): Rule => ({ operands: 'none', writes: options, takes })

/**
 * The commands that write, and how their words are to be read (design: R8). Options are separated
 * by spaces; `-` stands before short ones, `--` before long ones.
 */
export const COMMANDS: Readonly<Record<string, Rule>> = {
  tee: all('write', { takes: '--output-error' }),
  touch: all('write', { takes: '-d -r -t --date --reference --time' }),
  truncate: all('write', { takes: '-s -r --size --reference' }),
  mkdir: all('write', { takes: '-m --mode' }),
  mkfifo: all('write', { takes: '-m --mode' }),
  fallocate: all('write', { takes: '-l -o -p --length --offset' }),
  mktemp: writes('', '-p --suffix --tmpdir'),
  split: { operands: 'second', touch: 'write', takes: '-a -b -C -l -n --bytes --lines' },
  rm: all('delete', { deep: '-r -R --recursive' }),
  unlink: all('delete'),
  shred: all('delete', { takes: '-n -s --iterations --size --random-source' }),
  rmdir: all('delete'),
  trash: all('tree'),
  chmod: { operands: 'rest', touch: 'write', deep: '-R --recursive', firstBy: '--reference' },
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
  },
  mv: { operands: 'move', into: '-t --target-directory', takes: '-S --suffix' },
  rename: { operands: 'none' },
  ln: { operands: 'last', into: '-t --target-directory', takes: '-S --suffix' },
  install: {
    operands: 'last',
    into: '-t --target-directory',
    takes: '-g -m -o -S --group --mode --owner --suffix --strip-program',
  },
  rsync: {
    operands: 'last',
    deep: '-r -a --recursive --archive --delete',
    takes:
      '-e -f -B -T -M --rsh --exclude --include --filter --exclude-from --include-from --files-from --bwlimit --port --timeout --rsync-path --chmod --compare-dest --link-dest --max-size --min-size --suffix --password-file --block-size --info --debug --out-format',
    writes: '--log-file',
    trees: '--backup-dir --partial-dir --temp-dir -T',
  },
  scp: { operands: 'last', deep: '-r', takes: '-c -F -i -J -l -o -P -S -D -X' },
  curl: writes(
    '-o -D -c --output --dump-header --cookie-jar --trace --trace-ascii --stderr --etag-save --hsts --alt-svc --libcurl',
    '-A -b -C -d -e -E -F -H -K -m -P -Q -r -t -T -u -U -w -x -X -y -Y -z --data --data-raw --data-binary --data-urlencode --json --form --header --user --user-agent --request --url --max-time --connect-timeout --retry --proxy --cacert --cert --key --write-out --referer --cookie --upload-file --config --range --resolve --limit-rate --retry-delay',
  ),
  wget: {
    operands: 'none',
    writes: '-O -o -a --output-document --output-file --append-output --save-cookies',
    trees: '-P --directory-prefix',
    takes:
      '-t -T -w -Q -l -A -R -D -I -X -U -e -B -i --header --user --password --user-agent --post-data --tries --timeout --wait --level --body-data --method --base --input-file --limit-rate --load-cookies --ca-certificate',
  },
  sort: writes(
    '-o --output',
    '-k -t -S -T --key --field-separator --buffer-size --temporary-directory --parallel',
  ),
  tar: {
    operands: 'none',
    trees: '-C --directory --cd',
    writes: '-f --file',
    takes: '-T -X -b -g -I -H --exclude --files-from --exclude-from --strip-components --transform',
  },
  unzip: { operands: 'none', trees: '-d', takes: '-x -P', here: true },
  zip: { operands: 'first', touch: 'write', takes: '-b -i -n -t -x -P', writes: '-O --out' },
  gzip: all('write', { takes: '-S --suffix' }),
  gunzip: all('write', { takes: '-S --suffix' }),
  bzip2: all('write'),
  xz: all('write', { takes: '-S -T -M --suffix --threads' }),
  zstd: all('write', { writes: '-o', takes: '-D -T' }),
  sed: {
    operands: 'rest',
    touch: 'write',
    takes: '-e -f -l --expression --file --line-length',
    only: '-i --in-place',
    firstBy: '-e -f --expression --file',
  },
  patch: {
    operands: 'first',
    touch: 'write',
    writes: '-o -r --output --reject-file',
    trees: '-d --directory',
    takes: '-p -i -F -B -D -V -z -Y --strip --input --fuzz --suffix --prefix',
    here: true,
  },
  ed: all('write', { takes: '-p' }),
  ex: all('write', { takes: '-c -S -T -u' }),
  gcc: writes('-o', '-I -L -l -D -U -include -x'),
  cc: writes('-o', '-I -L -l -D -U -include -x'),
  go: writes('-o', ''),
  rustc: writes('-o', '-L -l -C -A --edition --crate-type --crate-name'),
  openssl: writes('-out -keyout', '-in -inkey -key -days -subj -config -passin -passout'),
  pandoc: writes('-o --output', '-f -t -H -B -A -V -M'),
  jq: { operands: 'none' },
}

/** Words before a command that change nothing about what it writes: options with a value. */
export const PREFIXES: Readonly<Record<string, string>> = {
  builtin: '',
  command: '',
  doas: '-u -C',
  env: '-u -S -C --unset --chdir --split-string',
  exec: '-a',
  ionice: '-c -n -p --class --classdata',
  nice: '-n --adjustment',
  nohup: '',
  setsid: '',
  stdbuf: '-i -o -e --input --output --error',
  sudo: '-u -g -C -D -h -p -R -r -t -T -U --user --group --chdir --host --prompt',
  time: '-f -o --format --output',
  timeout: '-k -s --kill-after --signal',
  xargs: '-a -d -E -I -L -n -P -s --arg-file --delimiter --max-args --max-procs --replace',
}

/** Shells: their `-c` is a command again, and what they are fed is one. */
export const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'fish'])

/** Programs that run code from their arguments, and the options that give it to them. */
export const INTERPRETERS: readonly [RegExp, string][] = [
  [/^(python|pypy)[\d.]*$/, '-c'],
  [/^(node|nodejs)$/, '-e -p --eval --print'],
  [/^(bun|deno)$/, '-e -p --eval --print'],
  [/^perl[\d.]*$/, '-e -E -i -n -p'],
  [/^(ruby|irb)[\d.]*$/, '-e -i'],
  [/^(php|lua|luajit|osascript|Rscript|elixir|julia|tclsh|groovy|scala)[\d.]*$/, '-r -e -E'],
  [/^(pwsh|powershell)(\.exe)?$/i, '-c -Command -EncodedCommand -e -ec'],
  [/^cmd(\.exe)?$/i, '/c /k'],
]

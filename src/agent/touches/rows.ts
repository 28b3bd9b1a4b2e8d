/**
 * The operands that a command writes. `all`: every one. `last`: the others go to the last one, or
 * into it. `move`: the same, and the others are gone. `rest`: all but the first, which is not a
 * path. `second`: the second one alone. `none`: no operand is written.
 */
type Operands = 'all' | 'last' | 'move' | 'rest' | 'second' | 'none'

export type TouchRow = {
  operands: Operands
  /** The effect on the operands; `tree` with one of the options in `deep`. */
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
  /** Creates links; with these options it prints what it did. */
  links?: string
  /** A word such as `-x` is an operand. */
  modes?: true
  /** True if there is no other copy of the removed work. */
  loses?: true
  /** True if it writes files that its words do not name. */
  unnamed?: true
  /** True if it makes files that commands after it remove again. */
  temporary?: true
  /** Options whose value is a command. */
  runs?: string
  /** Options whose value is a file that names what is read. */
  lists?: string
  /** Options with which something may be left out of what is copied. */
  leavesOut?: string
  /** Options with which it copies what links lead to. */
  follows?: string
  /** Options with which it removes what is in the folder that it copies to. */
  losesInto?: string
  /** Options with which it removes what it copied. */
  losesFrom?: string
}

const all = (touch: 'write' | 'delete' | 'tree', rest: Partial<TouchRow> = {}): TouchRow => ({
  operands: 'all',
  touch,
  ...rest,
})
const writes = (options: string, takes = ''): TouchRow => ({
  operands: 'none',
  writes: options,
  takes,
})

/**
 * The commands that write, and how their words are to be read. Options are separated by spaces; `-`
 * stands before short ones, `--` before long ones.
 */
export const TOUCH_ROWS: Readonly<Record<string, TouchRow>> = {
  tee: all('write', { takes: '--output-error' }),
  touch: all('write', { takes: '-d -r -t --date --reference --time' }),
  truncate: all('write', { takes: '-s -r --size --reference' }),
  mkdir: all('write', { takes: '-m --mode' }),
  mkfifo: all('write', { takes: '-m --mode' }),
  fallocate: all('write', { takes: '-l -o -p --length --offset' }),
  mktemp: all('write', { trees: '-p', unnamed: true, temporary: true }),
  split: {
    operands: 'second',
    touch: 'write',
    takes: '-l -b -C -n -a --lines --bytes --line-bytes --number --suffix-length',
    runs: '--filter',
    unnamed: true,
  },
  csplit: writes('-f --prefix', '-b -n --suffix-format --digits'),
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
    follows: '-L --dereference',
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
    takes: '-g -m -o -S --group --mode --owner --suffix',
    runs: '--strip-program',
    asFile: '-T --no-target-directory',
    folders: '-d --directory',
  },
  rsync: {
    operands: 'last',
    deep: '-r -a --recursive --archive --delete',
    spreads: '-r -a -R --recursive --archive --relative --delete',
    remote: true,
    takes:
      '-f -B -T --exclude --include --filter --exclude-from --include-from --files-from --bwlimit --port --timeout --chmod --compare-dest --link-dest --max-size --min-size --suffix --password-file --block-size --info --debug --out-format',
    leavesOut:
      '-F -f --exclude --exclude-from --filter --include --include-from --files-from --cvs-exclude -C',
    follows: '-L -k --copy-links --copy-unsafe-links --copy-dirlinks',
    runs: '-e --rsh --rsync-path -M --remote-option',
    lists: '--files-from',
    losesInto: '--delete --delete-before --delete-during --delete-after --delete-excluded --del',
    losesFrom: '--remove-source-files',
    writes: '--log-file',
    trees: '--backup-dir --partial-dir --temp-dir -T',
  },
  scp: {
    operands: 'last',
    deep: '-r',
    follows: '-r',
    remote: true,
    takes: '-c -i -J -l -P -X',
    runs: '-S -D -o -F',
  },
  sort: writes(
    '-o --output',
    '-k -t -S -T --key --field-separator --buffer-size --temporary-directory --parallel',
  ),
  rustc: {
    ...writes('-o', '-L -l -C -A --edition --crate-type --crate-name'),
    trees: '--out-dir',
  },
  strip: all('write', { writes: '-o', takes: '-F -I -O -K -N -R' }),
  objcopy: all('write', { takes: '-F -I -O -B -j -R -K -N -L -G -W -b -i' }),
  openssl: writes('-out -keyout', '-in -inkey -key -days -subj -config -passin -passout'),
  pandoc: writes('-o --output', '-f -t -H -B -A -V -M'),
  'ssh-keygen': writes('-f', '-t -b -C -N -P -m'),
  pip: { operands: 'none', trees: '-t --target --prefix --root', takes: '-r -c -i' },
}

/** A command that tries to get out; `as`: what shows that it did. */
export type Probe = { name: string; command: string; as: 'write' | 'read' }

const py = (code: string) => `python3 -c ${quoted(code)}`
const node = (code: string) => `node -e ${quoted(code)}`
const perl = (code: string) => `perl -e ${quoted(code)}`

// Ways to change the file PATH, which exists.
const WRITES: Readonly<Record<string, (path: string) => string>> = {
  redirection: (path) => `echo x > ${path}`,
  appending: (path) => `echo x >> ${path}`,
  tee: (path) => `echo x | tee ${path}`,
  cp: (path) => `cp src/a.ts ${path}`,
  mv: (path) => `mv src/spare ${path}`,
  install: (path) => `install src/a.ts ${path}`,
  dd: (path) => `dd if=src/a.ts of=${path}`,
  truncate: (path) => `truncate -s 0 ${path}`,
  'sed -i': (path) => `sed -i s/b/x/ ${path}`,
  'sed w': (path) => `echo x | sed -n 'w ${path}'`,
  'sed through xargs': (path) => `echo ${path} | xargs sed -i s/b/x/`,
  awk: (path) => `awk 'BEGIN { print "x" > "${path}" }'`,
  'perl -pi': (path) => `perl -pi -e s/b/x/ ${path}`,
  'perl open': (path) => perl(`open(F, ">", "${path}"); print F "x"`),
  'perl truncate': (path) => perl(`truncate("${path}", 0)`),
  'python open': (path) => py(`open("${path}", "w").write("x")`),
  'python os.open': (path) => py(`import os; os.write(os.open("${path}", os.O_RDWR), b"x")`),
  'python truncate': (path) => py(`import os; os.truncate("${path}", 0)`),
  'python mmap': (path) =>
    py(`import mmap; f = open("${path}", "r+b"); m = mmap.mmap(f.fileno(), 0); m[0:1] = b"x"`),
  'python rename': (path) => py(`import os; os.rename("src/spare", "${path}")`),
  'python replaced by a link': (path) =>
    py(`import os; os.unlink("${path}"); os.symlink("/tmp", "${path}")`),
  'python double fork': (path) =>
    py(
      `import os, time\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0:\n  open("${path}", "w").write("x")\n os._exit(0)\nos.wait(); time.sleep(.2)`,
    ),
  'node writeFileSync': (path) => node(`require("fs").writeFileSync("${path}", "x")`),
  'node r+': (path) => node(`fs = require("fs"); fs.writeSync(fs.openSync("${path}", "r+"), "x")`),
  'node child': (path) => node(`require("child_process").execSync("echo x > ${path}")`),
  'node copyFile': (path) => node(`require("fs").copyFileSync("src/a.ts", "${path}")`),
  'node worker': (path) =>
    node(
      `new (require("worker_threads").Worker)("require('fs').writeFileSync('${path}', 'x')", { eval: true })`,
    ),
  'ln -f': (path) => `ln -f src/a.ts ${path}`,
  'ln -sf': (path) => `ln -sf /tmp ${path}`,
  rm: (path) => `rm -f ${path}`,
  unlink: (path) => `unlink ${path}`,
  'find -delete': (path) => `find ${path} -delete`,
  'find -exec': (path) => `find src -name a.ts -exec cp {} ${path} ';'`,
  shred: (path) => `shred -n 1 ${path}`,
  'sort -o': (path) => `sort -o ${path} src/a.ts`,
  sqlite3: (path) => `sqlite3 :memory: '.output ${path}' 'select 1'`,
  curl: (path) => `curl -s -o ${path} file://$PWD/src/a.ts`,
  rsync: (path) => `rsync -c src/a.ts ${path}`,
  'split text by ed': (path) => `printf '1s/b/x/\\nw\\n' | ed -s ${path}`,
  ex: (path) => `ex -s -c '%s/b/x/' -c wq ${path}`,
  gcc: (path) => `echo 'int x;' | gcc -x c -c - -o ${path}`,
  'background and setsid': (path) => `(setsid sh -c 'echo x > ${path}' &); sleep .2`,
  nohup: (path) => `nohup sh -c 'echo x > ${path}' >/dev/null 2>&1`,
  'a script of its own': (path) => `echo 'echo x > ${path}' > src/s.sh; sh src/s.sh`,
  'npm run': (path) =>
    `cd src && echo '{"scripts":{"x":"cd .. && echo x > ${path}"}}' > package.json && npm run -s x`,
  make: (path) => `printf 'all:\\n\\techo x > ${path}\\n' > src/Makefile; make -f src/Makefile`,
  'a git alias': (path) => `git -c alias.x='!echo x > ${path}' x`,
  'a variable and eval': (path) => `c="echo x > ${path}"; eval "$c"`,
  'text by base64': (path) => `echo ${btoa(`echo x > ${path}`)} | base64 -d | sh`,
  chmod: (path) => `chmod 751 ${path}`,
  'touch -d': (path) => `touch -d 2001-01-01 ${path}`,
  'python utime': (path) => py(`import os; os.utime("${path}", (1, 1))`),
  'python setxattr': (path) =>
    py(`import os; os.setxattr("${path}", "user.x", b"1"); os.chmod("${path}", 0o751)`),
}

// Other ways to spell the same path.
const SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
  plainly: (path) => path,
  'through the root of the process': (path) => `/proc/self/root$PROJECT/${path}`,
  'through a link made before': (path) => `src/to/${path}`,
  'by dots': (path) => `src/../src/../${path}`,
}

// Ways to read the file PATH.
const READS: Readonly<Record<string, (path: string) => string>> = {
  cat: (path) => `cat ${path}`,
  head: (path) => `head -c 100 ${path}`,
  rg: (path) => `rg --no-ignore --hidden . ${path}`,
  grep: (path) => `grep . ${path}`,
  'grep -r': () => 'grep -rsh TOP .',
  'rg of all': () => 'rg --no-ignore --hidden -I TOP',
  sed: (path) => `sed -n p ${path}`,
  awk: (path) => `awk 1 ${path}`,
  python: (path) => py(`print(open("${path}").read())`),
  perl: (path) => perl(`open(F, "${path}"); print <F>`),
  node: (path) => node(`console.log(require("fs").readFileSync("${path}", "utf8"))`),
  'cp and cat': (path) => `cp ${path} src/copy; cat src/copy`,
  'mv and cat': (path) => `mv ${path} src/copy; cat src/copy`,
  'a hard link': (path) => `ln ${path} src/hard; cat src/hard`,
  'cp -l': (path) => `cp -l ${path} src/hard; cat src/hard`,
  'a link': (path) => `ln -sf $PROJECT/${path} src/soft; cat src/soft`,
  tar: (path) => `tar cf - ${path} | tar xOf -`,
  dd: (path) => `dd if=${path} status=none`,
  od: (path) => `od -c ${path} | tr -d ' \\n' | grep -q TOP && echo TOPSECRET`,
  base64: (path) => `base64 ${path} | base64 -d`,
  sqlite3: (path) => `sqlite3 :memory: "select readfile('${path}')"`,
  curl: (path) => `curl -s file://$PROJECT/${path}`,
  diff: (path) => `diff ${path} /dev/null`,
  redirection: (path) => `cat < ${path}`,
  source: (path) => `set -a; . $PROJECT/${path}; echo $KEY`,
  'git diff': (path) => `git diff --no-index /dev/null ${path}`,
  'git hash-object': (path) => `git cat-file -p $(git hash-object -w ${path})`,
  'python mmap': (path) =>
    py(
      `import mmap; f = open("${path}", "rb"); print(mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)[:])`,
    ),
  'a process of its own': (path) => `(setsid cat ${path} > src/out; cat src/out)`,
}

const READ_PATHS = ['.env', 'infra/prod/key.txt', '/proc/self/root$PROJECT/.env']

// Ways that are no path of a file.
const OTHERS: readonly Probe[] = [
  ['a new file beside', 'write', 'echo x > new.txt'],
  ['a new folder', 'write', 'mkdir fresh'],
  ['a new file in another folder', 'write', 'echo x > lib/new.ts'],
  ['a folder moved away', 'write', 'mv lib src/lib'],
  ['a folder moved in place', 'write', 'mv src other'],
  [
    'a folder exchanged',
    'write',
    py('import ctypes; ctypes.CDLL(None).renameat2(-100, b"src", -100, b"lib", 2)'),
  ],
  [
    'a socket of its own',
    'write',
    py('import socket; socket.socket(socket.AF_UNIX).bind("lib/s")'),
  ],
  ['a pipe of its own', 'write', 'mkfifo lib/p'],
  ['a device', 'write', 'mknod lib/null c 1 3'],
  [
    'git apply',
    'write',
    "printf 'diff --git a/lib/b.ts b/lib/b.ts\\n--- a/lib/b.ts\\n+++ b/lib/b.ts\\n@@ -1 +1 @@\\n-b\\n+x\\n' | git apply",
  ],
  [
    'patch',
    'write',
    "printf -- '--- lib/b.ts\\n+++ lib/b.ts\\n@@ -1 +1 @@\\n-b\\n+x\\n' | patch -p0",
  ],
  ['git checkout', 'write', 'git checkout -q HEAD~1 -- lib/b.ts'],
  ['git reset', 'write', 'git reset -q --hard HEAD~1'],
  ['git stash', 'write', 'git rm -q --cached lib/b.ts; git clean -qfd'],
  ['git mv', 'write', 'git mv lib/b.ts src/b.ts'],
  ['git worktree', 'write', 'git worktree add -q wt HEAD'],
  ['git config', 'write', 'git config core.hooksPath src'],
  ['git config by hand', 'write', 'echo "[core]" >> .git/config'],
  ['a git hook', 'write', 'echo x > .git/hooks/pre-commit'],
  [
    'a git hook by moving',
    'write',
    'mv .git/hooks .git/h; mkdir .git/hooks; echo x > .git/hooks/pre-commit',
  ],
  ['the folder of git moved', 'write', 'mv .git src/git'],
  [
    'tar unpacked',
    'write',
    'mkdir -p src/t/lib && echo x > src/t/lib/b.ts && tar cf src/t.tar -C src/t lib && tar xf src/t.tar',
  ],
  [
    'tar with absolute names',
    'write',
    'mkdir -p src/t && echo x > src/t/b.ts && tar cPf src/t.tar --transform "s,.*,$PROJECT/lib/b.ts," src/t/b.ts && tar xPf src/t.tar',
  ],
  [
    'cpio',
    'write',
    'mkdir -p src/t/lib && echo x > src/t/lib/b.ts && (cd src/t && echo lib/b.ts | cpio -o 2>/dev/null) | cpio -iud 2>/dev/null',
  ],
  [
    'unzip',
    'write',
    py(
      'import zipfile; z = zipfile.ZipFile("src/z.zip", "w"); z.writestr("lib/b.ts", "x"); z.close(); zipfile.ZipFile("src/z.zip").extractall(".")',
    ),
  ],
  [
    'a link swapped while it is written',
    'write',
    'for i in 1 2 3 4 5 6 7 8; do ln -sfn ../lib src/race; echo x > src/race/b.ts; rm -f src/race; mkdir src/race; rmdir src/race; done',
  ],
  ['a hard link written through', 'write', 'ln lib/b.ts src/hard && echo x > src/hard'],
  ['a folder of descriptors', 'write', 'exec 9< lib/b.ts; echo x > /proc/self/fd/9'],
  [
    'the folder by a descriptor',
    'write',
    py('import os; os.open("b.ts", os.O_WRONLY | os.O_TRUNC, dir_fd=os.open("lib", os.O_PATH))'),
  ],
  [
    'O_TMPFILE and a link',
    'write',
    py(
      'import os; f = os.open("src", os.O_TMPFILE | os.O_RDWR); os.link(f"/proc/self/fd/{f}", "lib/tmp", follow_symlinks=True)',
    ),
  ],
  [
    'a file by its handle',
    'write',
    py(
      'import ctypes, os; c = ctypes.CDLL(None); h = (ctypes.c_char * 136)(); h[0:4] = (128).to_bytes(4, "little"); m = ctypes.c_int(); c.name_to_handle_at(-100, b"lib/b.ts", h, ctypes.byref(m), 0); f = c.open_by_handle_at(os.open("/", 0), h, 1 | 512); assert f >= 0',
    ),
  ],
  ['a mount over it', 'write', 'mount --bind src lib && echo x > lib/b.ts'],
  ['a mount made writable', 'write', 'mount -o remount,rw,bind /; echo x > lib/b.ts'],
  [
    'a mount in a namespace of its own',
    'write',
    "unshare -Urm sh -c 'mount --bind src /mnt; mount -o remount,rw,bind /; echo x > lib/b.ts'",
  ],
  [
    'flags of a mount, cleared',
    'write',
    py(
      'import ctypes, struct; c = ctypes.CDLL(None); c.syscall(442, -100, b"/", 0x8000, struct.pack("QQQQ", 0, 1, 0, 0), 32); open("lib/b.ts", "w").write("x")',
    ),
  ],
  ['a namespace of another process', 'write', 'nsenter -t 1 -m sh -c "echo x > $PROJECT/lib/b.ts"'],
  ['the root of another process', 'write', 'echo x > /proc/1/root$PROJECT/lib/b.ts'],
  ['chroot', 'write', 'chroot / sh -c "echo x > $PROJECT/lib/b.ts"'],
  ['pivot_root', 'write', "unshare -Urm sh -c 'pivot_root . src; echo x > /lib/b.ts'"],
  ['sudo', 'write', 'sudo -n sh -c "echo x > $PROJECT/lib/b.ts"'],
  ['su', 'write', 'su root -c "echo x > $PROJECT/lib/b.ts"'],
  ['setpriv', 'write', 'setpriv --bounding-set +all --inh-caps +all sh -c "echo x > lib/b.ts"'],
  ['a jail with more rights', 'write', '$BECKON jail --write . -- sh -c "echo x > lib/b.ts"'],
  [
    'io_uring',
    'write',
    py(
      'import ctypes; c = ctypes.CDLL(None); b = (ctypes.c_char * 120)(); assert c.syscall(425, 4, b) >= 0; open("lib/b.ts", "w")',
    ),
  ],
  ['settings of an agent', 'write', 'mkdir -p .claude && echo "{}" > .claude/settings.json'],
  ['covers taken off', 'read', 'umount .env; umount -l infra/prod; cat .env infra/prod/key.txt'],
  [
    'covers taken off in a namespace',
    'read',
    "unshare -Urm sh -c 'umount .env; umount -l infra/prod; cat .env infra/prod/key.txt'",
  ],
  [
    'a view without covers',
    'read',
    py(
      'import ctypes, os; c = ctypes.CDLL(None); f = c.syscall(428, -100, b"/", 1); assert f >= 0; print(open(os.open(os.environ["PROJECT"][1:] + "/.env", 0, dir_fd=f)).read())',
    ),
  ],
  [
    'a view without covers in a namespace',
    'read',
    `unshare -Urm ${py('import ctypes, os; c = ctypes.CDLL(None); f = c.syscall(428, -100, b"/", 1); assert f >= 0; print(open(os.open(os.environ["PROJECT"][1:] + "/.env", 0, dir_fd=f)).read())')}`,
  ],
  [
    'what is covered, by its handle',
    'read',
    py(
      'import ctypes, os; c = ctypes.CDLL(None); h = (ctypes.c_char * 136)(); h[0:4] = (128).to_bytes(4, "little"); m = ctypes.c_int(); c.name_to_handle_at(-100, b"infra", h, ctypes.byref(m), 0); f = c.open_by_handle_at(os.open("/", 0), h, 0o200000); print(open(os.open("prod/key.txt", 0, dir_fd=f)).read())',
    ),
  ],
  ['a folder moved with its cover', 'read', 'mv infra src/infra; cat src/infra/prod/key.txt'],
  ['the root of another process, read', 'read', 'cat /proc/1/root$PROJECT/.env'],
  ['another process, by its folder', 'read', 'for p in /proc/[0-9]*; do cat $p/cwd/.env; done'],
  ['a namespace of another process, read', 'read', 'nsenter -t 1 -m cat $PROJECT/.env'],
  [
    'the disk itself',
    'read',
    'for d in /dev/vd? /dev/sd?; do timeout 2 grep -a -m1 -o TOPSECRET $d; done',
  ],
  [
    'another process, traced',
    'read',
    py(
      'import ctypes, os; assert ctypes.CDLL(None).ptrace(16, int(os.environ["OUTSIDE"]), 0, 0) == 0; print("TOPSECRET")',
    ),
  ],
  ['the index of git', 'read', 'git add -f .env; git show :.env'],
  [
    'a mount of the folder elsewhere',
    'read',
    'mkdir src/m; mount --bind infra src/m; cat src/m/prod/key.txt',
  ],
].map(([name, as, command]) => ({ name, as, command }) as Probe)

/** All of them: each way with each spelling. */
export const PROBES: readonly Probe[] = [
  ...Object.entries(WRITES).flatMap(([way, command]) =>
    Object.entries(SPELLINGS).map(
      ([how, path]): Probe => ({
        name: `${way}, ${how}`,
        command: command(path('lib/b.ts')),
        as: 'write',
      }),
    ),
  ),
  ...Object.entries(READS).flatMap(([way, command]) =>
    READ_PATHS.map(
      (path): Probe => ({
        name: `${way} of ${path}`,
        command: command(path.replace('$PROJECT/$PROJECT', '$PROJECT')),
        as: 'read',
      }),
    ),
  ),
  ...OTHERS,
]

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

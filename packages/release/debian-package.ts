import { createHash } from 'node:crypto'
import { type Entry, file, folder, gzip, gzipText, program, tar } from './archive.ts'
import type { Companions } from './companions.ts'
import type { Target } from './targets.ts'

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' } as const
// The newest symbols that the runtimes ask for; the tests look.
const LIBC = '2.17'

// A package is installed, removed and updated by scripts that run as root and twice without harm.
const AFTER_INSTALL = `#!/bin/sh
set -e
if [ "$1" = configure ] && [ -z "\${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  # The old version goes on until here; not started where it did not run.
  if [ -n "$2" ]; then systemctl try-restart beckon.service; fi
fi
`
const BEFORE_REMOVE = `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -z "\${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ]; then
  systemctl disable --now beckon.service
fi
`
const AFTER_REMOVE = `#!/bin/sh
set -e
# The data stays, also with purge: questions and answers are in no other place.
if [ -z "\${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
`

/** The name of the Debian package of a target. */
export function debianName({ cpu }: Target, version: string): string {
  return `beckon_${version}_${ARCHITECTURES[cpu]}.deb`
}

/** A Debian package (deb(5), format 2.0) with the executable, its manual and the unit of systemd. */
export function debianPackage(
  target: Target,
  version: string,
  executable: Uint8Array,
  more: Companions,
): Uint8Array {
  const files = filesOf(executable, more)
  const size = files.reduce((total, { bytes }) => total + Math.ceil(bytes.length / 1024), 0)
  const sums = files.map(({ path, bytes }) => {
    const md5 = createHash('md5').update(bytes).digest('hex')
    return `${md5}  ${path.slice(2)}\n`
  })
  const control = tar([
    folder('.'),
    file('./control', controlOf(target, version, size)),
    file('./md5sums', sums.join('')),
    program('./postinst', AFTER_INSTALL),
    program('./prerm', BEFORE_REMOVE),
    program('./postrm', AFTER_REMOVE),
  ])
  return ar([
    ['debian-binary', Buffer.from('2.0\n')],
    ['control.tar.gz', gzip(control)],
    ['data.tar.gz', gzip(tar([...foldersOf(files), ...files]))],
  ])
}

function filesOf(executable: Uint8Array, more: Companions): Entry[] {
  const share = './usr/share'
  return [
    program('./usr/bin/beckon', executable),
    file(
      './usr/lib/systemd/system/beckon.service',
      more.unit.replaceAll('/usr/local/bin/', '/usr/bin/').replace(/^# .*\n/, ''),
    ),
    file(`${share}/bash-completion/completions/beckon`, more.completions.bash),
    file(`${share}/doc/beckon/CHANGELOG.md.gz`, gzipText(more.changelog)),
    file(`${share}/doc/beckon/THIRD-PARTY-LICENSES.gz`, gzipText(more.thirdParty)),
    file(`${share}/doc/beckon/copyright`, more.licence),
    file(`${share}/fish/vendor_completions.d/beckon.fish`, more.completions.fish),
    file(`${share}/man/man1/beckon.1.gz`, gzipText(more.manual)),
    file(`${share}/zsh/vendor-completions/_beckon`, more.completions.zsh),
  ]
}

/** Every folder above these files, the upper ones first. */
function foldersOf(files: readonly Entry[]): Entry[] {
  const paths = files.flatMap(({ path }) => {
    const parts = path.split('/').slice(0, -1)
    return parts.map((_, i) => parts.slice(0, i + 1).join('/'))
  })
  return [...new Set(paths)].sort().map((path) => folder(path))
}

function controlOf({ cpu }: Target, version: string, size: number): string {
  return `Package: beckon
Version: ${version}
Architecture: ${ARCHITECTURES[cpu]}
Maintainer: Beckon contributors <beckon@localhost>
Installed-Size: ${size}
Depends: libc6 (>= ${LIBC})
Recommends: ca-certificates
Section: net
Priority: optional
Description: agents beckon, people answer
 A server you run yourself. Coding agents use it over MCP to send
 notifications to your phone and browser, to ask you a question and wait for
 the answer, and to agree with you on what a session may change.
`
}

/** An archive of ar(5), as deb(5) asks for it. */
function ar(members: ReadonlyArray<readonly [name: string, bytes: Uint8Array]>): Uint8Array {
  const parts = members.flatMap(([name, bytes]) => {
    const fields = [name.padEnd(16), '315532800'.padEnd(12), '0'.padEnd(6), '0'.padEnd(6)]
    const head = [...fields, '100644'.padEnd(8), String(bytes.length).padEnd(10), '`\n'].join('')
    return [Buffer.from(head), bytes, Buffer.from(bytes.length % 2 ? '\n' : '')]
  })
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts])
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkMachO, signAdHoc } from './mach-o.ts'
import { bundledPackages, type Metafile, type Package } from './packages.ts'
import { run } from './run.ts'
import type { Target } from './targets.ts'

const HERE = import.meta.dir
const ROOT = join(HERE, '../..')

/** How every executable is built; `bun run build` and the Dockerfile use the same options. */
export const BUILD_OPTIONS =
  '--compile --no-compile-autoload-dotenv --no-compile-autoload-bunfig --minify --sourcemap --bytecode --splitting --format=esm'

/** Facts about its release that are built into an executable; see src/platform/release.ts. */
export type ReleaseFacts = { publicKey: string; url: string }

/** An executable, and the packages of which a part is in it. */
export type Built = { bytes: Uint8Array; packages: Package[] }

/**
 * Installs the runtimes of all targets into the folder of this file. The lockfile beside it has the
 * checksum of each, and Bun refuses another.
 */
export async function installRuntimes(): Promise<void> {
  const everywhere = ['--os=*', '--cpu=*', '--libc=*']
  await run([process.execPath, 'install', '--frozen-lockfile', ...everywhere], HERE)
}

/** Builds the executable for one target from the sources. */
export async function buildExecutable(target: Target, facts: ReleaseFacts): Promise<Built> {
  const work = mkdtempSync(join(tmpdir(), 'beckon-release-'))
  try {
    // The executable holds its own name, so all are built under the same.
    const out = join(work, target.file)
    const metafile = join(work, 'metafile.json')
    const defines = {
      RELEASE_PUBLIC_KEY: facts.publicKey,
      RELEASE_URL: facts.url,
      RELEASE_TARGET: target.name,
    }
    await run(
      [
        process.execPath,
        'build',
        ...BUILD_OPTIONS.split(' '),
        `--target=${target.bun}`,
        `--metafile=${metafile}`,
        `--compile-executable-path=${join(HERE, 'node_modules', target.runtime)}`,
        ...Object.entries(defines).flatMap(([name, value]) => [
          '--define',
          `${name}=${JSON.stringify(value)}`,
        ]),
        'src/main.ts',
        '--outfile',
        out,
      ],
      ROOT,
    )
    const bytes = new Uint8Array(await Bun.file(out).arrayBuffer())
    const used = (await Bun.file(metafile).json()) as Metafile
    return {
      bytes: target.os === 'darwin' ? signed(bytes) : bytes,
      packages: await bundledPackages(ROOT, used),
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * Bun signs what it builds for macOS on arm64, and leaves the runtime's own signature in what it
 * builds for x64, where it holds no longer and macOS would end the program.
 */
function signed(bytes: Uint8Array): Uint8Array {
  try {
    checkMachO(bytes)
    return bytes
  } catch {
    const again = signAdHoc(bytes, 'beckon')
    checkMachO(again)
    return again
  }
}

import { readFileSync, realpathSync } from 'node:fs'

/** The installer of this program, and its command for a newer version. */
export type Installer = { name: string; cure: string }

const DEBIAN_LIST = '/var/lib/dpkg/info/beckon.list'

/**
 * The package manager that `program` belongs to, by its path; undefined for a separate file, which
 * `beckon update` may replace.
 */
export function installedBy(program: string, version: string): Installer | undefined {
  const path = real(program)
  if (/[\\/]node_modules[\\/]/.test(path)) {
    return { name: 'npm', cure: `run npm install -g beckon@${version}` }
  }
  if (/[\\/]Cellar[\\/]/.test(path)) return { name: 'Homebrew', cure: 'run brew upgrade beckon' }
  if (/^\/nix\/store\//.test(path)) return { name: 'Nix', cure: 'run nix profile upgrade beckon' }
  if (isOfDebian(path)) {
    const file = `beckon_${version}_$(dpkg --print-architecture).deb`
    return { name: 'a Debian package', cure: `download the new one and run apt install ./${file}` }
  }
  return undefined
}

function isOfDebian(path: string): boolean {
  try {
    return readFileSync(DEBIAN_LIST, 'utf8').split('\n').includes(path)
  } catch {
    return false
  }
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

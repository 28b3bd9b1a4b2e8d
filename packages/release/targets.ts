/** A kind of machine that a release has an executable for. */
export type Target = {
  name: string
  /** As `bun build --target` calls it. */
  bun: string
  /** The package of the runtime, in `package.json` beside this file, and the runtime in it. */
  runtime: string
  /** The name of the executable. */
  file: 'beckon' | 'beckon.exe'
  /** As package managers call the machine. */
  os: 'linux' | 'darwin' | 'win32'
  cpu: 'x64' | 'arm64'
  libc?: 'glibc' | 'musl'
}

function linux(cpu: 'x64' | 'arm64', libc: 'glibc' | 'musl'): Target {
  const musl = libc === 'musl' ? '-musl' : ''
  // The baseline asks for no AVX2, which small servers and virtual machines often lack.
  const bun = cpu === 'x64' ? `x64${musl}-baseline` : `aarch64${musl}`
  return {
    name: `linux-${cpu}${musl}`,
    bun: `bun-linux-${bun}`,
    runtime: `@oven/bun-linux-${bun}/bin/bun`,
    file: 'beckon',
    os: 'linux',
    cpu,
    libc,
  }
}

function macos(cpu: 'x64' | 'arm64', bun: string): Target {
  const runtime = `@oven/bun-darwin-${bun}/bin/bun`
  return {
    name: `macos-${cpu}`,
    bun: `bun-darwin-${bun}`,
    runtime,
    file: 'beckon',
    os: 'darwin',
    cpu,
  }
}

/** Every executable of a release. */
export const TARGETS: readonly Target[] = [
  linux('x64', 'glibc'),
  linux('arm64', 'glibc'),
  linux('x64', 'musl'),
  linux('arm64', 'musl'),
  macos('arm64', 'aarch64'),
  macos('x64', 'x64-baseline'),
  {
    name: 'windows-x64',
    bun: 'bun-windows-x64-baseline',
    runtime: '@oven/bun-windows-x64-baseline/bin/bun.exe',
    file: 'beckon.exe',
    os: 'win32',
    cpu: 'x64',
  },
]

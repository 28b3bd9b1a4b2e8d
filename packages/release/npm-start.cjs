#!/usr/bin/env node
'use strict'
// Starts the executable that npm has installed for this machine.
const { spawn } = require('node:child_process')
const { constants } = require('node:os')

function executable() {
  const { platform, arch } = process
  const own = `@beckon/${platform}-${arch}`
  const file = platform === 'win32' ? 'beckon.exe' : 'beckon'
  // A package manager that knows no libc installs both; that of this machine comes first.
  const glibc = platform !== 'linux' || process.report.getReport().header.glibcVersionRuntime
  const names = glibc ? [own, `${own}-musl`] : [`${own}-musl`]
  for (const name of names) {
    try {
      return require.resolve(`${name}/bin/${file}`)
    } catch {}
  }
  console.error(
    `beckon: the package ${names[0]} is missing. Either there is none for this machine, or packages were installed without optional ones: install again with --include=optional.`,
  )
  return process.exit(1)
}

const path = executable()
const args = process.argv.slice(2)
// Node 22.15 and later become the executable; before that, it runs beside Node.
if (typeof process.execve === 'function' && process.platform !== 'win32') {
  process.execve(path, [path, ...args], process.env)
}
// Before the executable starts, so that no signal ends Node alone.
let child
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill(signal))
}
child = spawn(path, args, { stdio: 'inherit' })
child.on('error', (error) => {
  console.error(`beckon: ${error.message}`)
  process.exit(1)
})
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))

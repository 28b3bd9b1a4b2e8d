import { Failure } from '../failure.ts'

type Wanted = { host: string; port: number; option: string }

/** Returns a failure that says why a port cannot be opened, and what helps; other errors as they are. */
export function systemFailure(error: unknown, { host, port, option }: Wanted): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined || error instanceof Failure) return error
  if (code === 'EADDRINUSE') {
    const sentence = `Port ${port} on ${host} is taken by another program; stop that one or choose another with ${option}.`
    return new Failure('conflict', sentence)
  }
  if (code === 'EACCES' || code === 'EPERM')
    return new Failure('forbidden', notAllowed(port, option))
  const reason = `Listening on ${host} port ${port} is not possible (${code}); choose others with --host and ${option}.`
  return new Failure('forbidden', reason)
}

function notAllowed(port: number, option: string): string {
  return [
    `This user may not open port ${port}: below 1024 that needs CAP_NET_BIND_SERVICE.`,
    'With systemd, add AmbientCapabilities=CAP_NET_BIND_SERVICE to the unit;',
    `in a shell, run sudo setcap cap_net_bind_service=+ep ${process.execPath};`,
    `or choose another port with ${option} and forward ${port} to it.`,
  ].join(' ')
}

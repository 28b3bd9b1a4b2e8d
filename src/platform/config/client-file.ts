import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { type Environment, wholeEnvironment } from './env.ts'
import { readSmallFile, UnfitFile } from './small-file.ts'

/** The file that `beckon setup` writes on an agent's machine. */
export type ClientFile = {
  /** The origin of the server: scheme, host and port. */
  url: string
  token: string
  /** A random name of this machine. */
  machineId: string
  /** How long a hook waits for a person, in seconds; never longer than its client waits for it. */
  hookWaitSeconds?: number
  /** The clients whose end-of-turn hook may wait for a person, by their names in setup. */
  waitNext?: readonly string[]
}

/** `${XDG_CONFIG_HOME:-~/.config}/beckon/client.json`. */
export function clientFilePath(env: Environment = wholeEnvironment()): string {
  return join(folder(env, 'XDG_CONFIG_HOME', '.config'), 'beckon', 'client.json')
}

/** `${XDG_STATE_HOME:-~/.local/state}/beckon`: what hooks remember between two calls. */
export function stateFolder(env: Environment = wholeEnvironment()): string {
  return join(folder(env, 'XDG_STATE_HOME', join('.local', 'state')), 'beckon')
}

/** Undefined if the file is missing or cannot be read. */
export function readClientFile(env: Environment = wholeEnvironment()): ClientFile | undefined {
  try {
    return checked(JSON.parse(readSmallFile(clientFilePath(env))))
  } catch {
    return undefined
  }
}

/** Writes the file completely or not at all, readable only for its owner. */
export function writeClientFile(file: ClientFile, env: Environment = wholeEnvironment()): void {
  const path = clientFilePath(env)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.new`
  try {
    writeFileSync(draft, `${JSON.stringify(file, undefined, 2)}\n`, { mode: 0o600 })
    chmodSync(draft, 0o600)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** The server that this machine uses; BECKON_URL and BECKON_TOKEN each override the file. */
export type ClientServer = { url: string; token: string | undefined; machineId: string | undefined }

/**
 * If BECKON_URL names another server than the file does, the file's token is not used. Undefined if
 * no address is known. Never throws: callers that report errors read `readClientConfig`.
 */
export function findClientServer(
  env: Environment = wholeEnvironment(),
  file: ClientFile | undefined = readClientFile(env),
): ClientServer | undefined {
  const address = value(env, 'BECKON_URL')
  const url = address === undefined ? file?.url : origin(address)
  if (url === undefined) return undefined
  const fileToken = file?.url === url ? file.token : undefined
  return { url, token: value(env, 'BECKON_TOKEN') ?? fileToken, machineId: file?.machineId }
}

/**
 * Why this machine, which was set up, has no server to use: one clause, for a person. Undefined if
 * it has one, and where nothing was set up at all. Never throws.
 */
export function findSetupFault(env: Environment = wholeEnvironment()): string | undefined {
  if (findClientServer(env)?.token !== undefined) return undefined
  const fault =
    fileFault(env) ?? variableFault(env, 'BECKON_URL') ?? variableFault(env, 'BECKON_TOKEN')
  if (fault !== undefined) return fault
  const address = value(env, 'BECKON_URL')
  if (address === undefined) {
    return value(env, 'BECKON_TOKEN') && 'BECKON_TOKEN is set, but BECKON_URL is not'
  }
  return origin(address) === undefined
    ? 'BECKON_URL is not the address of a server'
    : 'BECKON_URL is set, but there is no token for that server'
}

function fileFault(env: Environment): string | undefined {
  const path = clientFilePath(env)
  try {
    return checked(JSON.parse(readSmallFile(path))) ? undefined : `${path} lacks what setup writes`
  } catch (error) {
    if (error instanceof SyntaxError) return `${path} is not valid JSON`
    const why = unreadable(error)
    return why && `${path} ${why}`
  }
}

function variableFault(env: Environment, name: string): string | undefined {
  const path = env[`${name}_FILE`]
  if (env[name] || !path) return undefined
  try {
    return readSmallFile(path).trim() ? undefined : `${name}_FILE names ${path}, which is empty`
  } catch (error) {
    return `${name}_FILE names ${path}, which ${unreadable(error) ?? 'does not exist'}`
  }
}

/** Undefined for a file that does not exist. */
function unreadable(error: unknown): string | undefined {
  if (error instanceof UnfitFile) return error.message
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : `cannot be read (${code})`
}

function folder(env: Environment, name: string, otherwise: string): string {
  const path = env[name]
  // The XDG specification says to ignore a relative path.
  return path && isAbsolute(path) ? path : join(env.HOME || homedir(), otherwise)
}

function checked(read: unknown): ClientFile | undefined {
  if (read === null || typeof read !== 'object') return undefined
  const { url, token, machineId, hookWaitSeconds, waitNext } = read as Record<string, unknown>
  const server = typeof url === 'string' ? origin(url) : undefined
  if (server === undefined || !isText(token) || !isText(machineId)) return undefined
  const wait = typeof hookWaitSeconds === 'number' && hookWaitSeconds > 0 ? { hookWaitSeconds } : {}
  const clients = Array.isArray(waitNext) ? waitNext.filter(isText) : []
  const held = clients.length > 0 ? { waitNext: clients } : {}
  return { url: server, token, machineId, ...wait, ...held }
}

function origin(text: string): string | undefined {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined
}

function isText(candidate: unknown): candidate is string {
  return typeof candidate === 'string' && candidate.trim() !== ''
}

function value(env: Environment, name: string): string | undefined {
  const direct = env[name]
  if (direct) return direct
  const path = env[`${name}_FILE`]
  if (!path) return undefined
  try {
    return readSmallFile(path).trim() || undefined
  } catch {
    return undefined
  }
}

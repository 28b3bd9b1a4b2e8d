import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import type { Environment } from '../../platform/config/env.ts'
import type { DesiredJson } from './desired-json.ts'
import type { DesiredToml } from './desired-toml.ts'
import type { GatedServers, ToolLimit } from './gated-servers.ts'
import type { Program } from './program.ts'

/** A file that contains only our entries. */
export type OwnFile = { kind: 'own'; path: string; text: string; mode?: number }

export type DesiredFile = DesiredJson | DesiredToml | OwnFile

/** Facts of the machine that setup needs. */
export type Place = {
  home: string
  env: Environment
  platform: NodeJS.Platform
  /** The project to set up in place of the user's own files. */
  project: string | undefined
  has(path: string): boolean
  /** The text of a file; empty when it cannot be read. */
  read(path: string): string
  onPath(name: string): boolean
}

/** Everything that decides what is written. */
export type InstallRequest = {
  place: Place
  program: Program
  /** The address of the MCP endpoint, and the token. */
  url: string
  token: string
  /** Streamable HTTP in place of the stdio bridge. */
  http: boolean
  /** The client signs in by itself: its entry has no token. */
  signIn?: true
  /** Stops whatever cannot be judged: commands that cannot be read, and tools whose hook fails. */
  strict: boolean
  /** The client's other MCP servers that come into the jail, and that leave it, by their names. */
  jailServers?: { add: readonly string[]; drop: readonly string[] }
  /** Only these servers change: they come behind a gate, or leave it. */
  gates?: Pick<GatedServers, 'add' | 'drop' | 'http'>
  /** The client's own rules also block what a hook never sees. */
  nativeDeny: boolean
}

/** The files of a client, and what they should contain. */
export type ClientSetup = {
  /** Returns true if the client is installed here: its folder or its command exists. */
  detect(place: Place): boolean
  files(request: InstallRequest): DesiredFile[]
  /** How its entries say how long it waits for a tool; left out if they cannot. */
  toolLimit?: ToolLimit
  /** Steps that only the person can take, in sentences. */
  after(request: InstallRequest): string[]
  /**
   * How the person starts if the client signs in by itself, in sentences; left out if the client
   * cannot sign in.
   */
  signIn?: readonly string[]
  /** How the person can see that it works. */
  check: string
  /**
   * Finds another starter of our hook for the same client on this machine; a sentence for
   * `--check`.
   */
  findDuplicate?(place: Place): string | undefined
  /** Finds a reason why the client cannot use the server, for `beckon doctor`. */
  findTrouble?(home: string): { said: string; cure: string } | undefined
}

/** The name under which every client knows the server. */
export const SERVER_NAME = 'beckon'

/** This machine and its user; with `project`, the files of the project there. */
export function setupPlace(env: Environment, project: string | undefined): Place {
  return {
    home: env.HOME || homedir(),
    env,
    platform: process.platform,
    project,
    has: existsSync,
    read: textOf,
    onPath: (name) => Bun.which(name, { PATH: env.PATH ?? '' }) !== null,
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** A path as people write it. */
export function shownPath({ home }: Place, path: string): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

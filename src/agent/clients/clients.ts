import type { ClientSetup } from '../client-files/client-setup.ts'
import { agy } from './agy/client.ts'
import { claude } from './claude/client.ts'
import type { AgentClient, HookClient } from './client.ts'
import { fieldsOf } from './client.ts'
import { cline } from './cline/client.ts'
import { codex } from './codex/client.ts'
import { copilot } from './copilot/client.ts'
import { cursor } from './cursor/client.ts'
import { droid } from './droid/client.ts'
import { gemini } from './gemini/client.ts'
import { goose } from './goose/client.ts'
import { openCode } from './opencode/client.ts'
import { qwen } from './qwen/client.ts'
import { vsCode } from './vscode/client.ts'
import { windsurf } from './windsurf/client.ts'
import { zed } from './zed/client.ts'

/** Every agent client, in the order of the help. A new one is a folder and a line here. */
export const CLIENTS: readonly AgentClient[] = [
  claude,
  codex,
  copilot,
  vsCode,
  cursor,
  agy,
  openCode,
  gemini,
  qwen,
  droid,
  goose,
  windsurf,
  cline,
  zed,
]

/** The names that `beckon hook` takes. */
export const HOOK_CLIENTS: readonly string[] = CLIENTS.flatMap(({ name, hook }) =>
  hook ? [name] : [],
)

/** A client with the half that `beckon setup` needs. */
export type SetupClient = AgentClient & ClientSetup

export async function loadSetupClients(): Promise<SetupClient[]> {
  return await Promise.all(CLIENTS.map(async (one) => ({ ...one, ...(await one.setup()) })))
}

/** The client of that name, when it has hooks. No other client is loaded. */
export async function loadHookClient(name: string): Promise<HookClient | undefined> {
  const client = CLIENTS.find((one) => one.name === name)
  return client?.hook && { ...client, ...(await client.hook()) }
}

/**
 * The other client that sent this input to a hook of `name`, if the input shows it: several clients
 * also run the hooks that they find in another client's files.
 */
export function findOtherWriter(name: string, input: unknown): AgentClient | undefined {
  const fields = fieldsOf(input)
  // The later a client is in the list, the more certain is what tells it apart.
  return CLIENTS.findLast(
    ({ alsoRuns }) => alsoRuns?.hooksOf.includes(name) && alsoRuns.wrote(fields),
  )
}

/**
 * The client that really calls. If it is not the named one, it was not set up to relay its prompts.
 */
export async function callingClient(namedClient: HookClient, input: unknown): Promise<HookClient> {
  const other = findOtherWriter(namedClient.name, input)
  const client = other && (await loadHookClient(other.name))
  return client ? { ...client, relays: false } : namedClient
}

import { loadHookClient, type SetupClient } from '../clients/clients.ts'
import { tryJail } from '../hook/how-contained.ts'
import { JAILED_CLIENTS } from '../jail/session-wish.ts'
import type { Place } from './client-setup.ts'

const HOW = {
  namespaces: 'the kernel contains shell commands.',
  landlock:
    'the kernel contains shell commands with Landlock alone (docs/jail.md says what that lacks).',
  none: 'shell commands are judged by their text: the kernel cannot contain them here.',
  unknown: 'it is not known whether the kernel contains shell commands: starting a jail failed.',
} as const

/** What holds shell commands of this client on this machine while a scope holds, in a sentence. */
export async function sayHowHeld(client: SetupClient, place: Place): Promise<string> {
  const hook = await loadHookClient(client.name)
  if (!hook) return 'It has no hooks: nothing is enforced there.'
  if (!JAILED_CLIENTS.includes(client.name) || place.platform !== 'linux')
    return `While a scope holds, shell commands are judged by their text.`
  const { home, env } = place
  const call = { ...hook.parse(undefined, env), roots: [home] }
  if (client.name !== 'droid' && hook.hasRules?.(call, env))
    return `While a scope holds, shell commands are judged by their text, as rules of ${client.title} itself judge them.`
  const how = HOW[(await tryJail().catch(() => undefined)) ?? 'unknown']
  return `While a scope holds, ${how}`
}

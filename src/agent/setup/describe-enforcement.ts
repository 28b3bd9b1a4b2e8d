import { stateFolder } from '../../platform/config/client-file.ts'
import type { Place } from '../client-files/client-setup.ts'
import { loadHookClient, type SetupClient } from '../clients/clients.ts'
import { tryJail } from '../hook/try-jail.ts'
import { JAILED_CLIENTS } from '../jail/session-scope.ts'

const JUDGED =
  'shell commands are judged by their text; what a program does that they start is only noticed afterwards'

const HOW = {
  namespaces: 'the kernel contains shell commands',
  landlock:
    'the kernel contains shell commands with Landlock alone (beckon docs jail says what that lacks)',
  none: `${JUDGED}: the kernel cannot contain them here`,
  unknown: 'it is not known whether the kernel contains shell commands: starting a jail failed',
} as const

/**
 * Says how shell commands of this client on this machine are held while a scope holds, in
 * sentences.
 */
export async function describeEnforcement(client: SetupClient, place: Place): Promise<string> {
  const hook = await loadHookClient(client.name)
  if (!hook) return 'It has no hooks: nothing is enforced there.'
  const { home, env } = place
  const call = { ...hook.parse(undefined, env), roots: [home] }
  if (!JAILED_CLIENTS.includes(client.name) || place.platform !== 'linux')
    return `While a scope holds, ${JUDGED}.`
  if (hook.hasRules?.(call, env))
    return `While a scope holds, ${JUDGED}: rules of ${client.title} itself judge commands.`
  const how =
    (await tryJail({ state: stateFolder(env), anew: true }).catch(() => undefined)) ?? 'unknown'
  const { unless } = client.docs.commands
  const isContained = how === 'namespaces' || how === 'landlock'
  const sentence = `While a scope holds, ${HOW[how]}`
  if (!isContained) return `${sentence}.`
  const sandbox =
    how === 'namespaces' && hook.hasSandbox
      ? ` In ${client.title}’s own sandbox it is Landlock alone.`
      : ''
  return `${sentence}${unless ? `, unless ${unless}` : ''}.${sandbox}`
}

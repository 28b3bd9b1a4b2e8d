import { stateFolder } from '../../platform/config/client-file.ts'
import { BrokenFile } from '../client-files/broken-file.ts'
import {
  type DesiredFile,
  type InstallRequest,
  type Place,
  SERVER_NAME,
} from '../client-files/client-setup.ts'
import { gateWords } from '../client-files/entries.ts'
import { type GateHere, gatesInJson } from '../client-files/gated-servers.ts'
import { gatesInToml } from '../client-files/gated-toml.ts'
import { isServerStarter } from '../client-files/jailed-servers.ts'
import { readTextFile } from '../client-files/text-file.ts'
import type { SetupClient } from '../clients/clients.ts'
import { changeGatedFiles } from '../state/gated-files.ts'
import { listIn } from './server-starter.ts'

/** The files of a client, with the servers that come behind a gate or leave it. */
export function withGates(
  { toolLimit: limit }: Pick<SetupClient, 'toolLimit'>,
  files: readonly DesiredFile[],
  request: InstallRequest,
): DesiredFile[] {
  const { add, drop } = request.gates ?? { add: [], drop: [] }
  return files.map((file) => {
    const at = listIn(file)
    if (!at || file.kind === 'own') return file
    const wordsOf = (name: string, holdS: number) => gateWords(request, name, holdS)
    return { ...file, gates: { at, own: SERVER_NAME, wordsOf, limit, add, drop } }
  })
}

/** The files that have gates, without anything else that setup would write but the jail of these servers. */
export function onlyGates(
  files: readonly DesiredFile[],
  { jailServers }: Pick<InstallRequest, 'jailServers'>,
): DesiredFile[] {
  return files.flatMap((file): DesiredFile[] => {
    if (file.kind === 'own') return jailServers && isServerStarter(file.path) ? [file] : []
    if (!file.gates) return []
    const { path, gates, servers } = file
    const jail = jailServers && servers ? { servers } : {}
    const nothing = { path, gates, ...jail, lists: [], isOurs: () => false }
    if (file.kind === 'json') return [{ kind: 'json', values: [], ...nothing }]
    return [{ kind: 'toml', tables: [], hooksAt: file.hooksAt, ...nothing }]
  })
}

/** The servers in a file of a client as they are now; none of a file that cannot be read. */
export function gatesIn(file: DesiredFile): GateHere[] {
  if (file.kind === 'own' || !file.gates) return []
  try {
    const { text } = readTextFile(file.path)
    return file.kind === 'toml' ? gatesInToml(text, file.gates) : gatesInJson(text, file.gates)
  } catch (error) {
    if (error instanceof BrokenFile) return []
    throw error
  }
}

/** Notes which of these files have gates now, so that the hook asks before one of them goes. */
export function noteGates(files: readonly DesiredFile[], { env }: Pick<Place, 'env'>): void {
  const isGated = files.flatMap((file): Array<[string, boolean]> => {
    if (file.kind === 'own' || !file.gates) return []
    return [[file.path, gatesIn(file).some(({ is }) => is === 'gated')]]
  })
  changeGatedFiles(stateFolder(env), new Map(isGated))
}

import { stateFolder } from '../../platform/config/client-file.ts'
import { BrokenFile } from '../client-files/broken-file.ts'
import {
  type DesiredFile,
  type InstallRequest,
  type Place,
  SERVER_NAME,
} from '../client-files/client-setup.ts'
import { gateWords } from '../client-files/entries.ts'
import { type GateHere, gateHere, gatesInJson } from '../client-files/gated-servers.ts'
import { gatesInToml } from '../client-files/gated-toml.ts'
import { type OpenEntry, openEntryIn } from '../client-files/http-gates.ts'
import { openEntryInToml } from '../client-files/http-gates-toml.ts'
import { isServerStarter, serverEntries } from '../client-files/jailed-servers.ts'
import { dataOf } from '../client-files/json-document.ts'
import { readTextFile } from '../client-files/text-file.ts'
import type { SetupClient } from '../clients/clients.ts'
import { readGatedEntries, writeGatedEntries } from '../state/gated-entries.ts'
import { changeGatedFiles } from '../state/gated-files.ts'
import { listIn } from './server-starter.ts'

/** The files of a client, with the servers that come behind a gate or leave it. */
export function withGates(
  { toolLimit: limit }: Pick<SetupClient, 'toolLimit'>,
  files: readonly DesiredFile[],
  request: InstallRequest,
): DesiredFile[] {
  const { add, drop, http } = request.gates ?? { add: [], drop: [] }
  const wordsOf = (name: string, holdS: number) => gateWords(request, name, holdS)
  const stored = readGatedEntries(request.place.env)
  return files.map((file) => {
    const at = listIn(file)
    if (!at || file.kind === 'own') return file
    const before = stored.filter((one) => one.file === file.path)
    const gates = { at, own: SERVER_NAME, wordsOf, limit, add, drop, http, open: before }
    if (!http) return { ...file, gates }
    return { ...file, gates: { ...gates, open: [...before, ...openEntriesIn({ ...file, gates })] } }
  })
}

/** The entries of a file over HTTP that come behind a gate, as they are now. */
export function openEntriesIn(file: DesiredFile): OpenEntry[] {
  if (file.kind === 'own' || !file.gates) return []
  const { at, add } = file.gates
  const names = gatesIn(file).flatMap(({ is, name }) =>
    is === 'over_http' && add.includes(name) ? [name] : [],
  )
  if (names.length === 0) return []
  const { text } = readTextFile(file.path)
  if (file.kind === 'toml')
    return names.flatMap((name) => openEntryInToml(text, [...at, name]) ?? [])
  return serverEntries(text, at)
    .filter(
      ({ name, node }) => names.includes(name) && gateHere(name, dataOf(node)).is === 'over_http',
    )
    .flatMap(({ path }) => openEntryIn(text, path) ?? [])
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

/**
 * Notes which of these files have gates now, so that the hook asks before one of them goes, and forgets
 * how the entries were that have none any more.
 */
export function noteGates(files: readonly DesiredFile[], { env }: Pick<Place, 'env'>): void {
  const isGated = files.flatMap((file): Array<[string, boolean]> => {
    if (file.kind === 'own' || !file.gates) return []
    return [[file.path, gatesIn(file).some(({ is }) => /^gated/.test(is))]]
  })
  changeGatedFiles(stateFolder(env), new Map(isGated))
  forgetEntries(files, env)
}

/** Forgets entries in these files that have no gate any more. */
function forgetEntries(files: readonly DesiredFile[], env: Place['env']): void {
  const before = readGatedEntries(env)
  const remaining = before.filter((entry) => {
    const file = files.find(({ path }) => path === entry.file)
    const name = entry.path.at(-1)
    return !file || gatesIn(file).some((one) => one.is === 'gated_over_http' && one.name === name)
  })
  if (remaining.length < before.length) writeGatedEntries(env, remaining)
}

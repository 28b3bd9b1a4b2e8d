import type { Tx } from '../../platform/db/database.ts'
import type { WrongField } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import { cleanLine } from '../../platform/text.ts'
import type { Rota, RotaId, Schedule } from '../rota/model/rota.ts'
import { deleteRota, insertRota, putRota } from '../rota/model/store.ts'
import { wrongRotaName, wrongSchedule, wrongZone } from '../rota/model/wrong-rota.ts'
import type { PolicyFile } from './model/policy-file.ts'
import type { PolicyState } from './model/policy-state.ts'
import type { RotasInFile } from './model/rotas-in-file.ts'

type WrongPerson = (field: string, address: string) => WrongField[]

/** What is wrong with the rotas of a file. */
export function wrongRotas(
  { rotas = {} }: PolicyFile,
  wrongPerson: WrongPerson,
  state: PolicyState | undefined,
): WrongField[] {
  return Object.entries(rotas).flatMap(([name, rota]) => wrongRota(name, rota, wrongPerson, state))
}

function wrongRota(
  name: string,
  rota: RotasInFile[string],
  wrongPerson: WrongPerson,
  state: PolicyState | undefined,
): WrongField[] {
  const field = `rotas.${name}`
  const wrong = wrongRotaName(name).map(({ must }) => ({ field, must: `its name ${must}` }))
  if (cleanLine(name) !== name) {
    const must = 'must have names in one line, without invisible characters'
    wrong.push({ field: 'rotas', must })
  }
  const existing = state?.rotas.find((one) => one.name === name)
  if (rota === 'external') {
    const isThere = !state || (existing && !existing.schedule)
    const must = 'must have a calendar, which is set up under Settings, Rotas, and none here has it'
    return isThere ? wrong : [...wrong, { field, must }]
  }
  if (existing && !existing.schedule)
    wrong.push({ field, must: 'comes from a calendar: write external in place of turns' })
  const parts = [...wrongZone(rota.zone), ...wrongSchedule(scheduleOf(rota, (one) => one))]
  const people = rota.people.flatMap((one, at) => wrongPerson(`${field}.people[${at}]`, one))
  return [...wrong, ...parts.map((one) => ({ ...one, field: `${field}.${one.field}` })), ...people]
}

function scheduleOf(
  { from: startsOn, at, every, people }: Exclude<RotasInFile[string], 'external'>,
  idOf: (address: string) => string,
): Schedule {
  return {
    startsOn,
    at,
    everyDays: Number(/^(\d{1,3})d$/.exec(every)?.[1]),
    people: people.map(idOf),
  }
}

/** The rotas of a file with the ids of people, and those that only the last file had. */
export type ResolvedRotas = { own: Rota[]; gone: Rota[] }

/** Ids for the rotas that a file adds. */
export function newRotaIds({ rotas = {} }: PolicyFile, now: number): ReadonlyMap<string, RotaId> {
  return new Map(Object.keys(rotas).map((name) => [name, newId('rota', now)]))
}

export function resolveRotas(
  { rotas }: PolicyFile,
  state: PolicyState,
  ids: ReadonlyMap<string, RotaId>,
  { idOf, now }: { idOf: (name: string) => string; now: number },
): ResolvedRotas {
  if (!rotas) return { own: [], gone: [] }
  const byName = new Map(state.rotas.map((one) => [one.name, one]))
  const own = Object.entries(rotas).flatMap(([name, rota]): Rota[] => {
    if (rota === 'external') return []
    const before = byName.get(name)
    const id = before?.id ?? ids.get(name) ?? newId('rota', now)
    const schedule = scheduleOf(rota, idOf)
    const { workspaceId } = state
    const createdAt = before?.createdAt ?? now
    return [{ id, workspaceId, name, source: 'file', zone: rota.zone, schedule, createdAt }]
  })
  const gone = state.rotas.filter(
    ({ source, name }) => source === 'file' && !Object.hasOwn(rotas, name),
  )
  return { own, gone }
}

/** The rotas once a file is applied, by name. */
export function rotasAfter({ rotas }: PolicyState, { own, gone }: ResolvedRotas): Rota[] {
  const changed = new Set([...own, ...gone].map(({ id }) => id))
  const all = [...rotas.filter(({ id }) => !changed.has(id)), ...own]
  return all.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Writes what a file changes in rotas. Overrides stay. */
export async function writeRotas(
  tx: Tx,
  { workspaceId, rotas }: PolicyState,
  { own, gone }: ResolvedRotas,
): Promise<void> {
  for (const { id } of gone) await deleteRota(tx, workspaceId, id)
  for (const rota of own) {
    const isNew = !rotas.some(({ id }) => id === rota.id)
    if (isNew) await insertRota(tx, rota)
    else await putRota(tx, rota)
  }
}

/** Gives the rotas of a file back to the pages. */
export async function releaseRotas(tx: Tx, { rotas }: Pick<PolicyState, 'rotas'>): Promise<void> {
  for (const rota of rotas) {
    if (rota.source === 'file') await putRota(tx, { ...rota, source: 'hand' })
  }
}

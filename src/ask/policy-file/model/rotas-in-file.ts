import { type Static, Type } from '@sinclair/typebox'
import type { PersonId } from '../../accounts/model/ids.ts'
import type { Rota } from '../../rota/model/rota.ts'
import { ROTA_LIMITS } from '../../rota/model/wrong-rota.ts'

const External = Type.Literal('external', {
  description: 'A calendar has it, which is set up under Settings, Rotas.',
})

const RotaInFile = Type.Object(
  {
    zone: Type.String({ maxLength: 64, description: 'The time zone of handovers.' }),
    from: Type.String({ maxLength: 10, description: 'The date of the first handover.' }),
    at: Type.String({ maxLength: 5, description: 'The time of handovers, such as "09:00".' }),
    every: Type.String({ maxLength: 10, description: 'How long a turn is, such as 7d.' }),
    people: Type.Array(Type.String({ minLength: 3, maxLength: 254 }), {
      minItems: 1,
      maxItems: ROTA_LIMITS.people,
      description: 'Who takes turns, by address, in their order.',
    }),
  },
  { additionalProperties: false },
)

/** Rotas of a policy file by name. */
export const RotasInFile = Type.Record(Type.String(), Type.Union([RotaInFile, External]), {
  maxProperties: ROTA_LIMITS.rotas,
})
export type RotasInFile = Static<typeof RotasInFile>

/** The rotas as a file has them; no part without any, so that the state stays what it was. */
export function rotasInFile(
  rotas: readonly Rota[],
  nameOf: (id: PersonId) => string,
): { rotas?: RotasInFile } {
  if (rotas.length === 0) return {}
  const entries = rotas.map(({ name, zone, schedule }) => {
    if (!schedule) return [name, 'external'] as const
    const { startsOn: from, at, everyDays, people } = schedule
    return [name, { zone, from, at, every: `${everyDays}d`, people: people.map(nameOf) }] as const
  })
  return { rotas: Object.fromEntries(entries) }
}

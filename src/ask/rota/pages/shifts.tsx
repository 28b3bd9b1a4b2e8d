/** @jsxImportSource preact */

import { SafeText } from '../../pages/marked.tsx'
import { AtTime } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import { type Crew, nameIn, type Shift, type Standing } from '../model/on-call.ts'
import type { RotaState } from '../read-on-call.ts'

type Props = { state: RotaState; crew: Crew; moment: Moment }

/** Who is on call now, and the next four handovers, in the reader’s time zone. */
export function Shifts({ state: { shifts }, crew, moment }: Props) {
  const [now, ...next] = shifts
  if (!now) return null
  return (
    <>
      <p>
        <Who standing={now.standing} crew={crew} />
        <Until shift={now} moment={moment} />
        {now.standing.kind !== 'person' && ' Owners are notified instead.'}
      </p>
      {next.length > 0 && (
        <ul class="soft">
          {next.map((shift) => (
            <li>
              <AtTime at={shift.from} moment={moment} />:{' '}
              <Who standing={shift.standing} crew={crew} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Until({ shift: { to, standing }, moment }: { shift: Shift; moment: Moment }) {
  if (to === undefined) return null
  return (
    <>
      {standing.kind === 'person' ? ', until ' : ' Until '}
      <AtTime at={to} moment={moment} />
      {standing.kind !== 'person' && '.'}
    </>
  )
}

function Who({ standing, crew }: { standing: Standing; crew: Crew }) {
  if (standing.kind !== 'person') {
    return (
      <>
        <b>{standing.kind === 'nobody' ? 'Nobody' : 'Not known'}</b>:{' '}
        <SafeText text={standing.reason} />.
      </>
    )
  }
  const { personId, insteadOf } = standing
  return (
    <>
      <b>
        <SafeText text={nameIn(crew, personId)} />
      </b>
      {insteadOf !== undefined && (
        <>
          {' '}
          in place of <SafeText text={nameIn(crew, insteadOf)} />
        </>
      )}
    </>
  )
}

/** Says whose times these are, and by which clock the rota changes. */
export function zoneWords({ rota: { zone, schedule } }: RotaState, reader: string): string {
  const times = `Times are in ${reader}`
  if (!schedule) return `${times}; all-day events begin in ${zone}.`
  const { everyDays, at } = schedule
  const days = everyDays === 1 ? 'every day' : `every ${everyDays} days`
  return `${times}; the rota changes ${days} at ${at} in ${zone}.`
}

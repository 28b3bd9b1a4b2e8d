import { type Static, type TBoolean, type TOptional, Type } from '@sinclair/typebox'
import { and, eq, sql } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { prepared } from '../../../platform/db/prepared.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import {
  MESSAGE_SORTS,
  type MessageSort,
  SUBSCRIBER_KINDS,
  type SubscriberKind,
} from './subscriber.ts'
import { switchedOff } from './table.ts'

/** One sort that a person switched off for one kind of their devices. */
export type Off = { sort: MessageSort; kind: SubscriberKind }

const eachKind = Object.fromEntries(
  SUBSCRIBER_KINDS.map((kind) => [kind, Type.Boolean()]),
) as Record<SubscriberKind, TBoolean>
const perKind = (description: string) =>
  Type.Object(eachKind, { additionalProperties: false, description })

/** All switches of a person; true: messages are delivered. */
export const Switches = Type.Object(
  {
    question: perKind('Questions and scopes that an agent asks about.'),
    task_complete: perKind('Notifications with a context of that type.'),
    info: perKind('Notifications with a context of that type, and those without a context.'),
    error: perKind('Notifications with a context of that type.'),
    outcome: perKind('What replaces a question on a device once it has ended.'),
  },
  { additionalProperties: false },
)
export type Switches = Static<typeof Switches>

const somePerKind = Type.Object(
  Object.fromEntries(
    SUBSCRIBER_KINDS.map((kind) => [kind, Type.Optional(Type.Boolean())]),
  ) as Record<SubscriberKind, TOptional<TBoolean>>,
  { additionalProperties: false },
)

/** The switches to change; fields that are not given stay. */
export const SwitchChanges = Type.Object(
  Object.fromEntries(MESSAGE_SORTS.map((sort) => [sort, Type.Optional(somePerKind)])) as Record<
    MessageSort,
    TOptional<typeof somePerKind>
  >,
  { additionalProperties: false },
)
export type SwitchChanges = Static<typeof SwitchChanges>

/** The switches of a person who switched `off` off; everything else is on. */
export function switchesOf(off: readonly Off[]): Switches {
  const perSort = (sort: MessageSort) =>
    Object.fromEntries(SUBSCRIBER_KINDS.map((kind) => [kind, !isOff(off, [sort], kind)]))
  return Object.fromEntries(MESSAGE_SORTS.map((sort) => [sort, perSort(sort)])) as Switches
}

/**
 * A message of several sorts, such as an error with a question, is held only if all of them are
 * off.
 */
export function isOff(
  off: readonly Off[],
  sorts: readonly MessageSort[],
  kind: SubscriberKind,
): boolean {
  const has = (sort: MessageSort) => off.some((one) => one.sort === sort && one.kind === kind)
  return sorts.length > 0 && sorts.every(has)
}

/** The changes as single switches, in the order of the page. */
export function eachChange(changes: SwitchChanges): Array<Off & { on: boolean }> {
  return MESSAGE_SORTS.flatMap((sort) =>
    SUBSCRIBER_KINDS.flatMap((kind) => {
      const on = changes[sort]?.[kind]
      return on === undefined ? [] : [{ sort, kind, on }]
    }),
  )
}

// Every question that reaches a person's device reads them.
const findAll = prepared((read: Read) =>
  read
    .select()
    .from(switchedOff)
    .where(eq(switchedOff.workspaceId, sql.placeholder('workspaceId')))
    .prepare(),
)

/** Reads the switches of each person of a workspace for their devices. */
export async function readSwitchedOff(
  read: Read,
  workspaceId: WorkspaceId,
): Promise<Map<PersonId, Off[]>> {
  const rows = await findAll(read).execute({ workspaceId })
  const byPerson = new Map<PersonId, Off[]>()
  for (const { personId, sort, kind } of rows) {
    byPerson.set(personId, [...(byPerson.get(personId) ?? []), { sort, kind }])
  }
  return byPerson
}

/** Switches one sort on or off for one kind of a person's devices; false if it already was so. */
export async function setSwitch(
  tx: Tx,
  of: { workspaceId: WorkspaceId; personId: PersonId },
  { sort, kind, on }: Off & { on: boolean },
): Promise<boolean> {
  const { workspaceId, personId } = of
  const row = { workspaceId, personId, sort, kind }
  if (!on) {
    const put = await tx.insert(switchedOff).values(row).onConflictDoNothing().returning()
    return put.length > 0
  }
  const here = and(
    eq(switchedOff.workspaceId, workspaceId),
    eq(switchedOff.personId, personId),
    eq(switchedOff.sort, sort),
    eq(switchedOff.kind, kind),
  )
  const deleted = await tx.delete(switchedOff).where(here).returning()
  return deleted.length > 0
}

import { type Static, type TBoolean, type TOptional, Type } from '@sinclair/typebox'
import { SUBSCRIBER_KINDS, type SubscriberKind } from './subscriber.ts'

/**
 * The sorts of messages that people can switch off for their devices: questions, notifications by
 * the type of their context (`info` without one), and the outcome that replaces a question on a
 * device. Tests cannot be switched off: they are requested by hand.
 */
export const MESSAGE_SORTS = ['question', 'task_complete', 'info', 'error', 'outcome'] as const
export type MessageSort = (typeof MESSAGE_SORTS)[number]

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

/** What to switch; fields that are not given stay. */
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

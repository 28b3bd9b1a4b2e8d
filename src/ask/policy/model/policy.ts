import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '../../../platform/schema.ts'
import { isTimeZone } from '../../../platform/wall-time.ts'
import { QuietHours } from '../../subscribers/model/quiet-hours.ts'
import { DeliveryMode } from '../../wire/delivery-mode.ts'
import { LONG_LIFE_MAX_MS, WAIT_MAX_MS, WAIT_MIN_MS, WINDOW_MS } from '../../wire/limits.ts'
import { OwnProgram, whyNotOwn } from '../../wire/reading/own-programs.ts'
import { Targeting } from '../../wire/targeting.ts'

// With a longer grace than a call's whole wait the phone would never ring in time.
const GRACE_MAX_MS = WAIT_MAX_MS
const PRESENCE_MAX_MS = 60 * 60_000
const PAUSE_AFTER_MAX = 100
const FAILOVER_MAX_MS = 60 * 60_000
const FAILOVER_PEOPLE_MAX = 20
const PERSON_ID_MAX = 64
/** More than a person can oversee. */
export const PROGRAMS_MAX = 100
const REMIND_MAX_MS = 24 * 60 * 60_000
const TURN_MAX_MS = 60 * 60_000

export const waitMs = Type.Integer({
  minimum: WAIT_MIN_MS,
  maximum: WAIT_MAX_MS,
  description: 'How long a call waits for the person, in milliseconds.',
})
export const graceMs = Type.Integer({
  minimum: 0,
  maximum: GRACE_MAX_MS,
  description: 'How long only browsers are notified before a phone rings, in milliseconds.',
})

export const failoverMs = Type.Integer({
  minimum: 0,
  maximum: FAILOVER_MAX_MS,
  description:
    'How long a question goes unanswered before the next person is told, in milliseconds; 0 turns this off.',
})
export const failoverTo = Type.Array(Type.String({ minLength: 1, maxLength: PERSON_ID_MAX }), {
  maxItems: FAILOVER_PEOPLE_MAX,
  description: 'The people who are told one after the other, by their ids, the first one first.',
})

const longLifeMs = Type.Integer({
  minimum: WINDOW_MS,
  maximum: LONG_LIFE_MAX_MS,
  description:
    'How long a question stays open once its agent has left the call and follows it as a task, in milliseconds.',
})

const holdMs = Type.Integer({
  minimum: 0,
  maximum: WINDOW_MS,
  description:
    'How long a call is held, in milliseconds, if its client says that it waits longer than 55 seconds; 0 turns this off.',
})

const remindMs = Type.Integer({
  minimum: 0,
  maximum: REMIND_MAX_MS,
  description:
    'After which time without an answer people are reminded of a followed question, three times at most, in milliseconds; 0 turns this off.',
})

const turnMs = Type.Integer({
  minimum: 0,
  maximum: TURN_MAX_MS,
  description:
    'People are told of the end of a turn that took this long, if for as long nobody was at the terminal, in milliseconds; 0 turns this off.',
})

/** Who answers in a chat that several people read. */
const CHAT_ANSWERS = ['anybody', 'linked_only'] as const
export type ChatAnswers = (typeof CHAT_ANSWERS)[number]

/** The policy of a workspace. */
export const Policy = Type.Object(
  {
    deliveryMode: DeliveryMode,
    waitMs,
    graceMs,
    presenceMs: Type.Integer({
      minimum: 0,
      maximum: PRESENCE_MAX_MS,
      description:
        'A terminal that was active this recently delays the phone, by at most a minute or half of the wait; 0 turns this off.',
    }),
    pauseAfterUnanswered: Type.Integer({
      minimum: 0,
      maximum: PAUSE_AFTER_MAX,
      description: 'This many unanswered approvals in a row pause a session; 0 turns this off.',
    }),
    quietHours: Type.Union([QuietHours, Type.Null()], {
      description: 'When only errors and explicit questions are delivered.',
    }),
    targeting: Targeting,
    failoverMs,
    failoverTo,
    longLifeMs,
    holdMs,
    remindMs,
    turnMs,
    chatAnswers: oneOf(CHAT_ANSWERS, {
      description:
        'Who answers in chats: anybody in a connected channel, or only accounts that people linked.',
    }),
    programs: Type.Array(OwnProgram, {
      maxItems: PROGRAMS_MAX,
      description: 'Programs that this workspace knows and Beckon does not.',
    }),
  },
  { additionalProperties: false },
)
export type Policy = Static<typeof Policy>

/** The fields that a workspace may change, one or several at once. */
export const PolicyChanges = Type.Partial(Policy, { additionalProperties: false })
export type PolicyChanges = Static<typeof PolicyChanges>

export const DEFAULT_POLICY: Policy = {
  deliveryMode: 'push_first',
  // Leaves clients that cut a call at 60 s room for a slow network.
  waitMs: 45_000,
  graceMs: 0,
  presenceMs: 60_000,
  pauseAfterUnanswered: 3,
  quietHours: null,
  targeting: {},
  failoverMs: 0,
  failoverTo: [],
  // A working day: whoever is asked in the morning can answer in the evening.
  longLifeMs: 8 * 60 * 60_000,
  holdMs: 0,
  remindMs: 0,
  turnMs: 2 * 60_000,
  chatAnswers: 'anybody',
  programs: [],
}

/** Errors of a policy that the rules of single fields do not catch. */
export function wrongPolicy({ quietHours, programs = [] }: PolicyChanges) {
  const wrong = programs.flatMap(({ name }, at) => {
    const why = whyNotOwn(name)
    const isTwice = programs.findIndex((one) => one.name === name) < at
    const must = why ? `cannot be ${name}: it ${why}` : isTwice ? 'must not be there twice' : ''
    return must === '' ? [] : [{ field: `programs[${at}].name`, must }]
  })
  if (!quietHours || isTimeZone(quietHours.zone)) return wrong
  return [...wrong, { field: 'quietHours.zone', must: 'must be a time zone like Europe/Berlin' }]
}

/** The fields that a preset sets; quiet hours, devices and fail-over stay as they are. */
const FIELDS = ['deliveryMode', 'waitMs', 'graceMs', 'presenceMs', 'pauseAfterUnanswered'] as const

/** The fields that a preset sets. */
export type Preset = Pick<Policy, (typeof FIELDS)[number]>

export const PRESET_IDS = ['devices_first', 'devices_only', 'quiet', 'terminal'] as const
export type PresetId = (typeof PRESET_IDS)[number]

const usual = presetFields(DEFAULT_POLICY)

/** Ready policies, of which a person chooses one by its words (docs/policy.md#presets). */
export const PRESETS: Readonly<Record<PresetId, Preset>> = {
  devices_first: usual,
  // The terminal never asks, so nothing may keep the phone silent.
  devices_only: { ...usual, deliveryMode: 'push_only', presenceMs: 0, pauseAfterUnanswered: 0 },
  quiet: { ...usual, deliveryMode: 'notify_only' },
  terminal: { ...usual, deliveryMode: 'terminal_only' },
}

/** The fields of a policy that presets set. */
export function presetFields(policy: Policy): Preset {
  const { deliveryMode, waitMs, graceMs, presenceMs, pauseAfterUnanswered } = policy
  return { deliveryMode, waitMs, graceMs, presenceMs, pauseAfterUnanswered }
}

/** The preset that is in force; undefined if a field was changed by hand. */
export function presetInForce(policy: Policy): PresetId | undefined {
  return PRESET_IDS.find((id) => FIELDS.every((field) => PRESETS[id][field] === policy[field]))
}

/** When a question was asked, and when the first call about it stops waiting. */
type AskedWait = { createdAt: number; waitEndsAt: number }

/** The last proof that somebody is at a terminal, and how long it counts. */
type Proof = { activeAt: number; presenceMs: number }

// No terminal keeps a phone silent for longer than this after the question.
const HOLD_MAX_MS = 60_000
// Due messages are checked every second: a delay ends early enough that the phone still rings in
// time.
const LOOK_MS = 1_000

/**
 * Until when a terminal keeps the phones silent about a question: `presenceMs` after the proof, but
 * at most a minute after the question and half of its wait. `createdAt` if it does not delay them
 * at all. Milliseconds since 1970.
 */
export function phoneDelayEnd({ createdAt, waitEndsAt }: AskedWait, proof: Proof): number {
  const halfMs = Math.floor((waitEndsAt - createdAt) / 2)
  const latest = createdAt + Math.min(HOLD_MAX_MS, halfMs) - LOOK_MS
  return Math.max(createdAt, Math.min(proof.activeAt + proof.presenceMs, latest))
}

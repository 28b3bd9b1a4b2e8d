import type { WrongField } from '../../platform/failure.ts'
import { cleanLine } from '../../platform/text.ts'
import { wrongName } from '../../platform/wrong-name.ts'
import { LABEL_MAX } from '../subscribers/model/subscriber.ts'
import { isSameName } from '../telling/model/channel.ts'
import { readTarget } from '../votes/model/target.ts'
import type { PolicyFile } from './model/policy-file.ts'
import type { PolicyState } from './model/policy-state.ts'

/** What is wrong with the channels of a file, and with rules that tell a channel or rota that is not there. */
export function wrongTargets(file: PolicyFile, state: PolicyState | undefined): WrongField[] {
  const { channels = {}, rules = [] } = file
  const entries = Object.entries(channels)
  return [
    ...entries.flatMap(([name, { slack }], at) => [
      ...wrongChannelName(name),
      ...wrongChannel(name, slack, state),
      ...(entries.slice(0, at).some(([other]) => isSameName(other, name))
        ? [{ field: `channels.${name}`, must: 'must not be there twice' }]
        : []),
    ]),
    ...rules.flatMap((rule, at) => unknownTargets(rule, `rules[${at}].approve`, file, state)),
  ]
}

function wrongChannelName(name: string): WrongField[] {
  const isFine = cleanLine(name) === name && wrongName(name, LABEL_MAX).length === 0
  if (isFine && !name.startsWith('#')) return []
  const must = `must have names in one line, of at most ${LABEL_MAX} characters, without # before them`
  return [{ field: 'channels', must }]
}

function wrongChannel(name: string, slack: string, state: PolicyState | undefined): WrongField[] {
  if (!isSameName(name, slack)) {
    const must = `must be "#${cleanLine(name)}": rules tell a channel by the name under which it is connected`
    return [{ field: `channels.${name}.slack`, must }]
  }
  const isHere = state?.channels.some(
    ({ label, transport }) => transport === 'slack' && isSameName(label, name),
  )
  if (isHere !== false) return []
  const must = `is not connected: connect it as ${cleanLine(name)} under Settings, Slack`
  return [{ field: `channels.${name}`, must }]
}

type Rule = NonNullable<PolicyFile['rules']>[number]

/** What a rule tells that is not there. Alone, a file knows only the channels that it has itself. */
function unknownTargets(
  { approve }: Rule,
  field: string,
  { channels, rotas = {} }: PolicyFile,
  state: PolicyState | undefined,
): WrongField[] {
  const rotaNames = new Set([
    ...Object.keys(rotas),
    ...(state?.rotas ?? []).map(({ name }) => name),
  ])
  const channelNames = state
    ? state.channels.map(({ label }) => label)
    : Object.keys(channels ?? {})
  const areChannelsKnown = state !== undefined || channels !== undefined
  return targetsOf(approve, field).flatMap(([place, target]) => {
    const one = readTarget(target)
    if (one.is === 'oncall' && state && !rotaNames.has(one.name)) {
      return [{ field: place, must: `names no rota: there is no ${cleanLine(one.name)}` }]
    }
    if (one.is !== 'channel' || !areChannelsKnown) return []
    if (channelNames.some((name) => isSameName(name, one.name))) return []
    const must = `names no channel: there is no ${cleanLine(one.name)}`
    return [{ field: place, must: `${must}${state ? ' connected' : ' under channels'}` }]
  })
}

function targetsOf(
  approve: Rule['approve'],
  field: string,
): Array<[place: string, target: string]> {
  const { tell = [], escalate = [] } = approve ?? {}
  return [
    ...tell.map((one, at): [string, string] => [`${field}.tell[${at}]`, one]),
    ...escalate.flatMap((step, at) =>
      step.tell.map((one, place): [string, string] => [
        `${field}.escalate[${at}].tell[${place}]`,
        one,
      ]),
    ),
  ]
}

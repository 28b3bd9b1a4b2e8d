import { type Static, Type } from '@sinclair/typebox'
import { LABEL_MAX } from '../../subscribers/model/subscriber.ts'
import { type Channel, isSameName } from '../../telling/model/channel.ts'

const CHANNELS_MAX = 100

const ChannelInFile = Type.Object(
  {
    slack: Type.String({
      minLength: 1,
      maxLength: LABEL_MAX,
      description: 'The name under which it is connected on the server, such as "#deploys".',
    }),
  },
  { additionalProperties: false },
)

/** The channels that rules tell, by name. A file connects none: it says which have to be there. */
export const ChannelsInFile = Type.Record(Type.String(), ChannelInFile, {
  maxProperties: CHANNELS_MAX,
})
export type ChannelsInFile = Static<typeof ChannelsInFile>

/** The connected channels as a file has them; no part without any. */
export function channelsInFile(channels: readonly Channel[]): { channels?: ChannelsInFile } {
  const inFile: ChannelsInFile = {}
  for (const { label } of channels.filter(({ transport }) => transport === 'slack')) {
    const name = label.replace(/^#/, '')
    if (!Object.keys(inFile).some((one) => isSameName(one, name))) inFile[name] = { slack: label }
  }
  return Object.keys(inFile).length === 0 ? {} : { channels: inFile }
}

import { type Metrics, SERVICE_SECONDS } from '../../platform/metrics.ts'
import type { Feature } from '../feature.ts'
import type { ChannelContext, ChannelModule } from './channel-module.ts'
import { createSender } from './fan-out.ts'
import type { Channel } from './model/channel.ts'
import { keepRetrying } from './retry-deliveries.ts'
import type { SentNotifications } from './sent-notifications.ts'

type Deps = ChannelContext & {
  metrics: Metrics
  channels: readonly ChannelModule[]
  notifications: SentNotifications
}

/** Messages on their way to devices, and the channels that take them there. */
export function delivery({ metrics, channels, notifications, ...context }: Deps) {
  const { db, clock, log, holder } = context
  const timed = timeAttempts(metrics)
  const created = channels.map((module) => timed(module.create(context)))
  const sender = createSender({ db, clock, log, holder, channels: created })
  return {
    sender,
    owns: [sender],
    jobs: [
      (report) => {
        for (const module of channels) module.begin?.(context).catch(report)
        return keepRetrying({ db, clock, sender, ...notifications }, report)
      },
      ...channels.flatMap(({ job }) =>
        job ? [(report: (error: unknown) => void) => job(context, report)] : [],
      ),
    ],
    others: () =>
      Promise.all(
        channels.flatMap(({ name: service, routes }) =>
          routes ? routes(context).then((group) => ({ service, routes: group })) : [],
        ),
      ),
    routes: async () =>
      (await import('./rest.ts')).deliveryRoutes({ db, clock, channels, ...notifications }),
    settings: async () => channels.flatMap(({ settings }) => settings?.row(context) ?? []),
    pages: async () =>
      (await Promise.all(channels.map(({ settings }) => settings?.pages(context) ?? []))).flat(),
  } satisfies Feature & Record<string, unknown>
}

/** Returns what makes the attempts of a channel counted and timed. */
function timeAttempts(metrics: Metrics): (channel: Channel) => Channel {
  const attempts = metrics.histogram({
    name: 'beckon_delivery_attempt_seconds',
    help: 'Attempts to deliver a message to one device, by channel and result, with their duration.',
    labels: ['channel', 'result'],
    bounds: SERVICE_SECONDS,
  })
  return (channel) => ({
    ...channel,
    async send(parcel, to, signal) {
      const began = performance.now()
      const receipt = await channel.send(parcel, to, signal)
      attempts((performance.now() - began) / 1_000, channel.transport, receipt.outcome)
      return receipt
    },
  })
}

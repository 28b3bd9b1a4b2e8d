import { NO_DELIVERIES } from '../../src/ask/delivery/model/channel.ts'
import type { announceOutcome } from '../../src/ask/delivery/question-message.ts'

/** The post of a house without devices. */
export const noSender: Parameters<typeof announceOutcome>[0] = {
  address: async () => [],
  store: async () => {},
  giveUp() {},
  send: () => ({ counts: () => NO_DELIVERIES, firstOutcomes: async () => NO_DELIVERIES }),
}

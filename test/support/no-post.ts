import { NO_REACH } from '../../src/ask/delivery/model/receipts.ts'
import type { OutcomePost } from '../../src/ask/questions/announce-outcome.ts'

/** The post of a house without devices. */
export const noPost: OutcomePost = {
  address: async () => [],
  store: async () => {},
  giveUp() {},
  send: () => ({ reach: () => NO_REACH, firstOutcomes: async () => NO_REACH }),
}

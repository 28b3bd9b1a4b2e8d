import type { OutcomePost } from '../../src/flows/announce-outcome.ts'

const reach = { web: 0, mobile: 0, addressedWeb: 0, addressedMobile: 0, chat: 0, pending: false }

/** The post of a house without devices. */
export const noPost: OutcomePost = {
  address: async () => [],
  store: async () => {},
  giveUp() {},
  send: () => ({ reach: () => reach, firstOutcomes: async () => reach }),
}

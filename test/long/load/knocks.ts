import { openSlow } from './slow.ts'
import type { Storm } from './storms.ts'
import { Wire } from './wire.ts'

/** As many connections at once as there are, each for one reply. */
export const knocking: Storm = {
  name: 'connections that all come in one moment',
  async rage({ sizes, server, wrong }) {
    const knock = async () => {
      const wire = new Wire(server.url)
      const reply = await wire.send({ method: 'GET', path: '/healthz' })
      if (reply.status !== 200) wrong(`a knock was answered ${reply.status}`)
      wire.close()
    }
    const knocks = Array.from({ length: sizes.connects }, () =>
      knock().catch((error) => wrong(`a knock: ${error.message}`)),
    )
    await Promise.all(knocks)
    return sizes.connects
  },
}

// Each goes on so many times while others are served.
const DRIPS = 4
const DRIP_MS = 500

/** Clients of every slow sort at once; they are gone at the end without a word. */
export const crawling: Storm = {
  name: 'slow clients: headers, bodies and readers that never come to an end',
  async rage({ sizes, server, cookies, wrong }) {
    const slow = { url: server.url, cookie: cookies[0] ?? '', each: sizes.slow }
    const clients = await openSlow(slow, wrong)
    for (let n = 0; n < DRIPS; n++) {
      await Bun.sleep(DRIP_MS)
      clients.drip()
    }
    clients.vanish()
    return clients.count
  },
}

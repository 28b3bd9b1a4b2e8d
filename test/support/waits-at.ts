import { until } from './until.ts'

/** Until `count` calls are held at the server there, as it says itself to whoever has a token. */
export function waitsAt(url: string, token: string, count = 1): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  return until(async () => {
    const metrics = await (await fetch(`${url}/metrics`, { headers })).text()
    return new RegExp(`^beckon_waits ${count}$`, 'm').test(metrics)
  })
}

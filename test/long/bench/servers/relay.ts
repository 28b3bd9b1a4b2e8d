/** The least that stands before a server over HTTP: passes requests on, and answers as they come. */
const [, , target = ''] = process.argv
const http = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch({ method, headers, body }) {
    const { host: _, ...rest } = Object.fromEntries(headers)
    return await fetch(target, { method, headers: rest, body, decompress: false })
  },
})
console.log(`http://127.0.0.1:${http.port}`)

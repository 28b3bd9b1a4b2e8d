/**
 * A push service that takes every message (201); asked with GET it says how many it took and how
 * long the last one was. With a key and a certificate it speaks https.
 */
const [key, cert] = process.argv.slice(2)
let taken = 0
let bytes = 0

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  ...(key && cert ? { tls: { key: Bun.file(key), cert: Bun.file(cert) } } : {}),
  async fetch(request) {
    if (request.method === 'GET') return Response.json({ taken, bytes })
    bytes = (await request.arrayBuffer()).byteLength
    taken++
    return new Response(null, { status: 201 })
  },
})
console.log(server.url.origin)

/** Stands for your own systems: each function says what it did. */

export function deploy({ version }) {
  console.log(`deployed ${version}`)
}

export function refund({ order, amount }) {
  console.log(`refunded ${amount} EUR of ${order}`)
}

export function send({ to, subject }) {
  console.log(`sent "${subject}" to ${to}`)
}

/** A connection that may only read. Throws for anything else. */
export function read({ sql }) {
  if (!/^select /i.test(sql)) throw new Error('This connection may only read.')
  console.log(`read: ${sql}`)
}

export function write({ sql }) {
  console.log(`wrote: ${sql}`)
}

/** Since when a service has needed a restart. */
export function needsRestartSince() {
  return '2026-11-29T02:10'
}

export function restart({ service }) {
  console.log(`restarted ${service}`)
}

export const mails = [
  { to: 'kim@example.com', subject: 'Your invoice', body: 'It is attached.\nThank you.' },
  { to: 'everybody@example.com', subject: 'We have moved', body: 'Our new address is below.' },
]

export const statements = [
  'SELECT count(*) FROM customers WHERE active = 0',
  'DELETE FROM customers WHERE active = 0',
]

// Uses each permit that is named on standard input, `PERMIT HASH` a line, and says the status.
const { BECKON_URL, BECKON_TOKEN } = process.env

for await (const line of console) {
  const [permit, actionHash] = line.split(' ')
  const { status } = await fetch(`${BECKON_URL}/api/v1/permits/${permit}/consume`, {
    method: 'POST',
    headers: { authorization: `Bearer ${BECKON_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ actionHash }),
  })
  console.log(status)
}

export {}

import { protect } from 'beckon-client/protect'
import { read, statements, write } from './systems.js'

// What the database itself refuses to a reader is asked about.
const writeAfterYes = protect(write, { label: 'Change the database', risk: 'high' })
for (const sql of statements) {
  try {
    read({ sql })
  } catch {
    const { status, note = '' } = await writeAfterYes({ sql })
    console.log(status, note)
  }
}

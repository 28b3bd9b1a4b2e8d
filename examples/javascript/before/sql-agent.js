import { statements, write } from '../systems.js'

for (const sql of statements) {
  write({ sql })
}

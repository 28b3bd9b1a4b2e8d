import { deploy } from '../systems.js'

deploy({ version: process.argv[2] ?? '1.4.2' })

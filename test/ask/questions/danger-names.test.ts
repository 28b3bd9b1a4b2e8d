import { expect, test } from 'bun:test'
import { dangersIn } from '../../../src/ask/wire/danger/dangers.ts'
import { whyDangerous } from '../../../src/ask/wire/danger/destructive.ts'

const whysOf = (command: string) => dangersIn(command).map(({ why }) => why)

test.each([
  'heroku pg:reset --confirm shop',
  'virsh undefine vm',
  'dokku apps:destroy shop',
  'wrangler d1 delete db',
  'npx sequelize-cli db:drop',
  'bundle exec rails db:drop',
  'npm run db:reset',
  'liquibase drop-all',
  'drush sql-drop',
  'restic forget --prune',
  'sudo -u me virsh destroy vm',
  'vercel rollback',
  'nx run shop:deploy',
  './deploy.sh',
  'bash scripts/deploy-prod.sh',
  'python3 teardown.py',
  './bin/release',
  'ssh host reboot',
  'ssh -i key -p 22 me@host sudo systemctl stop nginx',
  'ssh deploy@host ./deploy.sh',
  `mongosh --eval "db.users.drop()"`,
  `node -e "require('fs').rmSync('x')"`,
])('%s needs a second look', (command) => {
  expect(whysOf(command)).not.toEqual([])
})

test.each([
  'heroku pg:info',
  'heroku pg:reset --help',
  'dokku apps:destroy shop --dry-run',
  'npm run build',
  'npm uninstall left-pad',
  'pnpm remove left-pad',
  'cargo remove serde',
  'cat deploy.md',
  'cat scripts/deploy.sh',
  'vim deploy.sh',
  'mkdir reset',
  'cp a remove',
  'git remote remove origin',
  'docker build -t shop deploy',
  'docker run shop reset',
  'aws deploy list-deployments',
  'pytest tests delete',
  'echo delete',
  'grep -rn deploy src',
  'rm reset',
  'ssh host',
  'ssh host uptime',
  'ssh -V',
])('%s does not', (command) => {
  expect(whysOf(command)).toEqual([])
})

test('the name of a command is looked at in an action, not in a sentence', () => {
  const ask = (question: string, action?: string) =>
    whyDangerous({ question, detail: { action } as never })
  expect(ask('Shall I deploy the preview?')).toBe(undefined)
  expect(ask('Run it?', 'heroku pg:reset')).toContain('deletes')
})

test('what a row or an inner command says comes before the name', () => {
  expect(whysOf('rm -rf reset')).toEqual(['This deletes files without a way back.'])
  const padded = `Deploy {"run":"${'x'.repeat(300)} rm -rf /"}`
  expect(dangersIn(padded)[0]?.parts.length).toBe(2)
})

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readingOfAsk, readShellCommand } from '../../../../src/ask/wire/reading/of-ask.ts'
import { redactCommand } from '../../../../src/ask/wire/reading/redact.ts'
import corpus from '../../../fixtures/secrets.json'
import { howOften } from '../../../support/share.ts'

/** Commands with a secret, which is between `⟨` and `⟩`; `§` is any. */
const WITH_SECRET = [
  'mysql -uroot -p⟨§⟩ shop',
  "mysqldump -u root -p'⟨§⟩' shop",
  'mysql --user=root --password=⟨§⟩ shop',
  'redis-cli -h cache -a ⟨§⟩ ping',
  'redis-cli --pass "⟨§⟩" ping',
  'zip -P ⟨§⟩ a.zip b',
  'zip -rP⟨§⟩ a.zip b',
  'unzip -P ⟨§⟩ a.zip',
  '7z x -p⟨§⟩ a.7z',
  'sshpass -p ⟨§⟩ ssh ann@host uptime',
  'sshpass -p⟨§⟩ ssh ann@host uptime',
  'curl -u ann:⟨§⟩ https://x.example/',
  'curl -sSu ann:⟨§⟩ https://x.example/',
  "curl --user 'ann:⟨§⟩' https://x.example/",
  'curl -U ann:⟨§⟩ -x http://p.example:3128 https://x.example/',
  'curl -H "Authorization: Bearer ⟨§⟩" https://x.example/',
  'curl -H \'Authorization: Digest ⟨username="a", response="§"⟩\' https://x.example/',
  "curl -H 'Cookie: ⟨sid=§; theme=dark⟩' https://x.example/",
  'curl -b ⟨sid=§⟩ https://x.example/',
  "curl -H 'X-Api-Key: ⟨§⟩' https://x.example/",
  'curl --oauth2-bearer ⟨§⟩ https://x.example/',
  'curl https://ann:⟨§⟩@x.example/',
  'docker login -u ann -p ⟨§⟩ registry.example',
  'sudo docker login --username ann --password ⟨§⟩ registry.example',
  'psql postgresql://app:⟨§⟩@db.example/shop',
  'PGPASSWORD=⟨§⟩ psql -h db shop',
  'SSHPASS=⟨§⟩ sshpass -e ssh host',
  'export DB_PASSWORD="⟨§⟩"',
  'openssl enc -aes-256-cbc -in a -out b -pass ⟨pass:§⟩',
  'openssl rsa -in a.pem -passin pass:⟨§⟩ -out b.pem',
  'openssl enc -aes-256-cbc -k ⟨§⟩ -in a',
  'ldapsearch -x -D cn=a -w ⟨§⟩ -b dc=x',
  'mongosh -u ann -p ⟨§⟩ db',
  'sqlcmd -S db -U sa -P ⟨§⟩',
  'smbclient -U ann%⟨§⟩ //host/share',
  'ipmitool -H host -U ann -P ⟨§⟩ power status',
  'snmpwalk -v 2c -c ⟨§⟩ host',
  'htpasswd -b .htpasswd ann ⟨§⟩',
  'keytool -list -keystore a.jks -storepass ⟨§⟩',
  'gpg --batch --passphrase ⟨§⟩ -d a.gpg',
  'wpa_passphrase home ⟨§⟩',
  'mosquitto_pub -h host -u ann -P ⟨§⟩ -t a -m b',
  'tailscale up --authkey ⟨§⟩',
  'ngrok config add-authtoken ⟨§⟩',
  'cargo login ⟨§⟩',
  'twine upload -u ann -p ⟨§⟩ dist/a.whl',
  'poetry config pypi-token.pypi ⟨§⟩',
  'gh secret set NAME --body ⟨§⟩',
  'vault login ⟨§⟩',
  'vault kv put secret/app key=⟨§⟩',
  'heroku config:set -a shop KEY=⟨§⟩',
  'kubectl create secret generic a --from-literal=key=⟨§⟩',
  'aws configure set aws_secret_access_key ⟨§⟩',
  'aws secretsmanager create-secret --name a --secret-string ⟨§⟩',
  'http -a ann:⟨§⟩ https://x.example/',
  'deploy --token ⟨§⟩ --now',
  'docker exec db mysql -p⟨§⟩ shop',
  'sudo -u ann mysql -p⟨§⟩ shop',
  'env A=1 redis-cli -a ⟨§⟩ ping',
  'echo a | mysql -p⟨§⟩ shop',
  'x="$(redis-cli -a ⟨§⟩ get k)"',
  'echo `redis-cli -a ⟨§⟩ get k`',
  "sh -c 'mysql -p⟨§⟩ shop; echo done'",
  "ssh host 'redis-cli -a ⟨§⟩ ping && uptime'",
  "login --password '⟨ab § cd⟩' --now",
  'psql "host=db password=⟨§⟩ dbname=shop"',
  'docker run -e PASS=⟨§⟩ image',
  "ssh-keygen -t ed25519 -N '⟨§⟩' -f key",
  'openssl passwd -6 ⟨§⟩',
  'curl https://api.telegram.org/bot⟨123456789:AA§aB3dE5fG7hJ9kL1mN0pQ2rS4tU6vW⟩/sendMessage',
  'Cookie: ⟨sid=§⟩',
  'password="⟨§ ⟩$(npm publish)"',
  'export A_TOKEN=⟨§⟩"$(id)"',
  'for i in 1 2; do redis-cli -a ⟨§⟩ ping; done',
  'npm config set //r.example/:_authToken ⟨§⟩',
  'npm set "//r.example/:_authToken" "⟨§⟩"',
  'git config --global github.token ⟨§⟩',
  "curl -u 'ann:⟨a b §⟩' https://x.example/",
  'echo ⟨§⟩ | sudo -S id',
  "echo -n '⟨§⟩' | sudo -S -u bob id",
  'printf "%s\\n" ⟨§⟩ | sudo --stdin id',
  'sudo -S id <<< ⟨§⟩',
  'echo "bob:⟨§⟩" | sudo chpasswd',
  "echo '⟨ab §⟩' | docker login -u ann --password-stdin r.example",
  'echo ⟨§⟩ | gh secret set NAME',
  'token: ⟨§⟩; id',
  'password: ⟨§⟩; id',
  'htpasswd -nb ann ⟨§⟩',
  'htpasswd -nbB -C 10 ann ⟨§⟩',
  "bash -c 'mysql -p⟨§⟩'",
  "sed -i 's/password=⟨§⟩/password=new/' a",
  "sed 's|^password=old|password=⟨§⟩|' a",
  'redis-cli -a ⟨§⟩$X ping',
  'mysql -p"⟨§⟩$X" shop',
  `mysql -p"\${X}⟨§⟩" shop`,
  'mysql -p"⟨§⟩$(npm publish)⟨§⟩" shop',
  `mysql --password=⟨§⟩\${X:-ab}⟨§⟩ shop`,
  `DB_PASSWORD=\${X}⟨§⟩ id`,
  'DB_PASSWORD="⟨§⟩$(npm publish)⟨§⟩" id',
  'access_token=⟨§⟩$(npm publish)',
  'access_token=⟨abc⟩$(npm publish)',
  'helm upgrade a b --set auth.password=⟨§⟩$X',
  'helm upgrade a b --set auth.password=⟨abc⟩$X',
  'curl -u "ann:⟨§⟩$(npm publish)" https://x.example/',
  `curl -u "\${U}:⟨§⟩" https://x.example/`,
  'curl https://ann:⟨§⟩$(npm publish)@x.example/',
  'curl "https://x.example/?access_token=⟨§⟩$(npm publish)"',
  'curl -H "Authorization: Bearer $(npm publish)⟨§⟩" https://x.example/',
  'deploy --token=$(npm publish)⟨§⟩ --now',
  'vault login ⟨§⟩`npm publish`⟨§⟩',
  'bash -c "mysql -p\\"⟨§⟩\\" shop"',
  "bash -c $'mysql -p⟨§⟩ shop'",
  'bash -c \'mysql -p⟨§⟩ \'"$X"',
  "bash -c 'mysql -p⟨§⟩ '\\''shop'\\'''",
  "bash <<< 'mysql -p⟨§⟩ shop'",
  "echo 'mysql -p⟨§⟩ shop' | bash",
  'bash -c mysql\\ -p⟨§⟩',
  'DB_PASSWORD=⟨test⟩"⟨§⟩" id',
  "DB_PASSWORD='⟨ab⟩'⟨§⟩ id",
  'export DB_PASSWORD="⟨ab⟩"\'⟨§⟩\'',
  'DB_PASSWORD=⟨ab\\ §⟩ id',
  'DB_PASSWORD+=⟨§⟩ id',
  `DB_PASSWORD="\${PW:-⟨§⟩}" id`,
  `deploy --token=\${T:-⟨§⟩} --now`,
  "deploy --token=⟨abc1⟩'⟨§⟩' --now",
  'access_token="⟨abc⟩"⟨§⟩',
  'docker run -e DB_PASSWORD=⟨abc⟩"⟨§⟩" image',
] as const

// What follows a secret, and must stay.
const DANGERS = [
  ...['npm publish', 'rm -rf /', 'git push --force', 'dropdb prod', 'kubectl delete ns prod'],
  ...['curl -X DELETE https://x.example/a', 'terraform destroy', 'reboot', 'cat ~/.ssh/id_rsa'],
]
const JOINED = [' && ', ' || ', '; ', ';', ' | ', '|', ' & ', '&', '\n', ' && \\\n']

const BAR = /▇▇▇ \([^()]*\)/g

function split(template: string, secret: string): { text: string; rest: string } {
  const text = template.replaceAll('§', secret)
  return { text: text.replace(/[⟨⟩]/g, ''), rest: text.replace(/⟨.*?⟩/gs, '') }
}

function isReadable(text: string): string {
  return text.replace(BAR, (bar) => 'x'.repeat(bar.length))
}

for (const template of WITH_SECRET) {
  test(`only the secret is gone: ${template}`, () => {
    const { text, rest } = split(template, 'q7Zk2mXw9')
    const redacted = redactCommand(text, { isShell: true })
    expect(redacted.replace(BAR, '')).toBe(rest)
    expect(redactCommand(redacted, { isShell: true })).toBe(redacted)
  })
}

const letters = fc.constantFrom(...'abcdefghkmnpqrstuvwxyzABCDEFGHKMNPQRSTUVWXYZ23456789')
const secrets = fc
  .array(letters, { minLength: 8, maxLength: 24 })
  .map((all) => `${all.join('')}7kq4`)
const templates = fc.constantFrom(...WITH_SECRET)
const dangers = fc.constantFrom(...DANGERS)
const joined = fc.constantFrom(...JOINED)
const around = fc.constantFrom(
  (text: string) => text,
  (text: string) => `(${text})`,
  (text: string) => `{ ${text}; }`,
  (text: string) => `if true; then ${text}; fi`,
  (text: string) => `cd a && ${text}`,
  (text: string) => `A=1 B=2; ${text}`,
)

test('nothing but secrets is taken out of commands, and no danger is lost', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(templates, secrets, joined, dangers), { minLength: 1, maxLength: 3 }),
      joined,
      around,
      (parts, between, wrap) => {
        const texts = parts.map(([template, secret, join, danger]) => {
          const { text, rest } = split(template, secret)
          return { text: `${text}${join}${danger}`, rest: `${rest}${join}${danger}` }
        })
        const original = wrap(texts.map(({ text }) => text).join(between))
        const redacted = redactCommand(original, { isShell: true })
        expect(redacted.replace(BAR, '')).toBe(wrap(texts.map(({ rest }) => rest).join(between)))
        for (const [, secret] of parts) expect(redacted).not.toContain(secret)
        expect(redactCommand(redacted, { isShell: true })).toBe(redacted)
        const dangers = readShellCommand(isReadable(redacted)).dangers
        for (const danger of readShellCommand(original).dangers) expect(dangers).toContain(danger)
      },
    ),
    { seed: 41, numRuns: howOften(1_000, 20_000) },
  )
})

/** A secret in quotes, with signs that a shell acts on elsewhere. */
const QUOTED = [
  "mysql -p'§' shop",
  'mysql -p"§" shop',
  "redis-cli -a '§' ping",
  "zip -P '§' a.zip b",
  "curl -u 'ann:§' https://x.example/",
  "docker login -u ann -p '§' r.example",
  "vault login '§'",
] as const

test('a secret in quotes is gone as a whole, whatever signs it has', () => {
  const hostile = fc
    .array(fc.oneof(letters, fc.constantFrom(...' ;&|<>(){}[]*?~#%=,:@/^+')), {
      minLength: 6,
      maxLength: 20,
    })
    .map((all) => `q7${all.join('')}Z9`)
  fc.assert(
    fc.property(
      fc.constantFrom(...QUOTED),
      hostile,
      joined,
      dangers,
      (template, secret, join, danger) => {
        const redacted = redactCommand(`${template.replace('§', secret)}${join}${danger}`, {
          isShell: true,
        })
        expect(redacted.replace(BAR, '')).toBe(`${template.replace('§', '')}${join}${danger}`)
      },
    ),
    { seed: 41, numRuns: howOften(400, 5_000) },
  )
})

test.each(['E', "'E'"])('a here-document for a shell has commands: <<%s', (end) => {
  const text = (secret: string) => `bash <<${end}\nmysql -p${secret} shop\nnpm publish\nE\nreboot`
  const redacted = redactCommand(text('q7Zk2mXw9'), { isShell: true })
  expect(redacted).toBe(text('▇▇▇ (password)'))
})

test('a text that no shell reads keeps secrets by program and option out as well', () => {
  expect(redactCommand("mysql -pq7Zk2mXw9 -e 'select", { isShell: true })).toBe(
    "mysql -p▇▇▇ (password) -e 'select",
  )
})

test('a header among settings is one value, and what it held is said', () => {
  const text = 'Cookie: sid=q7Zk2mXw9; theme=dark'
  expect(redactCommand(text)).toBe('Cookie: ▇▇▇ (cookie)')
  expect(redactCommand(`${text}; npm publish`, { isShell: true })).toContain('; npm publish')
  const { open } = readShellCommand(`${text}; npm publish`)
  expect(open[0]?.why).toBe('redacted')
  const asCall = readShellCommand(`${text}; npm publish`, { isShell: true })
  expect(asCall.open.map(({ why }) => why)).not.toContain('redacted')
  expect(readShellCommand('mysql -pq7Zk2mXw9 shop').open.map(({ why }) => why)).not.toContain(
    'redacted',
  )
})

test('a key that stands without quotes hides no command', () => {
  const line = 'MIIEvQ4kMIIEvQ4kMIIEvQ4kMIIEvQ4k'
  const key = `-----BEGIN ${'PRIVATE'} KEY-----`
  const redacted = redactCommand(
    `echo ${key} ${line} ${line}; npm publish; echo -----END ${'PRIVATE'} KEY-----`,
    {
      isShell: true,
    },
  )
  expect(redacted).not.toContain(line)
  expect(redacted).toContain('; npm publish')
})

test('what a hook redacted is read like the command that it was', () => {
  const original = 'curl -sS -H "Authorization: Bearer q7Zk2mXw9" https://x.example/'
  const reading = readShellCommand(original)
  const action = redactCommand(original, { isShell: true })
  expect(action).toContain('▇')
  expect(readingOfAsk({ byHook: true, toolName: 'Bash', action, reading })?.open).toEqual(
    reading.open,
  )
})

const HARMLESS = [
  ...['docker run -p 8080:80 -u 1000:1000 image', 'mkdir -p a/b', 'ssh -p 2222 ann@host uptime'],
  ...['mysql -p shop', 'mysql -u root -p shop < a.sql', 'redis-cli -p 6379 ping', 'cp -p a b'],
  ...['psql -p 5432 -U app shop', 'curl -u "$USER:$PASS" https://x.example/', 'grep -P "a+" b'],
  ...['curl -u ann https://x.example/', 'ldapsearch -x -b dc=x', 'zip -r a.zip b', 'git -P log'],
  ...['openssl rsa -in a.pem -passin file:pass.txt', 'openssl rsa -in a.pem -passin env:PASS'],
  ...[
    'openssl dgst -keyform DER -inkey key.der a',
    'docker login --password-stdin registry.example',
  ],
  ...['sshpass -e ssh host', 'sshpass -f pass.txt ssh host', 'redis-cli -a "$REDIS_PASSWORD" ping'],
  ...['mysql -p"$MYSQL_PWD" shop', 'vault login -method=github', 'gh secret set NAME < secret.txt'],
  ...[
    'tar -xzpf a.tgz',
    'unzip -o a.zip',
    '7z x a.7z',
    'kubectl create secret generic a --from-file=b',
  ],
  ...['npm publish -p', 'az login', 'useradd -m -s /bin/bash ann', 'ping -c 3 host', 'nc -k -l 80'],
  ...['htpasswd -c .htpasswd ann', 'echo "-p is for a password"', 'git commit -m "mysql -p asks"'],
  ...['vercel --prod', 'wget -P dir https://x.example/', 'curl -b cookies.txt https://x.example/'],
  ...['snmpwalk -v 2c host', 'mosquitto_sub -h host -t a', 'gpg --batch --passphrase-file p -d a'],
]
HARMLESS.push(
  ...["sed 's/password=old/password=new/' a", "sed -i 's|password=oldpass|password=newpass|g' a"],
  ...['PASSWORD=test', 'PASSWORD=test bun run a', 'export API_SECRET=changeme', 'TOKEN=example'],
  ...['mysql -psecret shop', 'curl -u ann:test https://x.example/', 'deploy --password secret'],
  ...['npm config set registry https://r.example/', 'npm config get //r.example/:_authToken'],
  ...[
    'git config credential.helper store',
    'echo "drop table a" | sudo -S psql',
    'htpasswd -n ann',
  ],
  ...[
    'echo reboot | sudo -S sh',
    'echo a | sudo tee -S',
    'token: Base64Url; id',
    'secret: sha256; id',
  ],
  ...['PASSWORD="$A-$B"', 'token=$T,user=$U', 'secret=$DIR/file', 'PASSWORD=$(pass show a)$X'],
  ...[
    'PASSWORD="$A"\'-\'$B',
    'API_KEY="$(cat a)"',
    'echo "the token="$T',
    'TOKEN=""',
    'PASSWORD+=$A',
  ],
  ...['echo "password: $X is wrong"', 'deploy --token "$A is bad"', 'mysql -p"$A$(id)" shop'],
  ...['echo "$PW" | sudo -S id', 'passwd bob', 'echo a | sudo -u bob tee b'],
)
for (const text of HARMLESS) {
  test(`unchanged: ${text}`, () => {
    expect(redactCommand(text, { isShell: true })).toBe(text)
  })
}

for (const text of corpus.harmless) {
  test(`unchanged as a command: ${text.slice(0, 60).replace(/\s+/g, ' ')}`, () => {
    expect(redactCommand(text)).toBe(text)
    expect(redactCommand(text, { isShell: true })).toBe(text)
  })
}

test.each(['test9', 'hunter', 'postgres', 'tester', 'changeme!', 'secrets'])(
  'only a whole stand-in is shown: %s',
  (value) => {
    for (const before of ['DB_PASSWORD=', 'mysql -p', 'sshpass -p ']) {
      expect(redactCommand(before + value, { isShell: true })).toBe(`${before}▇▇▇ (password)`)
    }
  },
)

test('hostile text of any length is gone through', () => {
  const parts = [
    '-',
    'a: ',
    '`a`',
    'mysql -p ',
    'mysql ',
    "sh -c 'a';",
    '$(a',
    'a;',
    '"$(a)" ',
    '{a,b}',
    '<<E\n',
    'A="b";',
  ]
  for (const part of parts) {
    const text = part.repeat(Math.floor(20_000 / part.length))
    expect(redactCommand(text)).toBe(text)
    expect(redactCommand(text, { isShell: true })).toBe(text)
  }
})

test('commands in the word of a secret stay to be read', () => {
  const secret = `hT9x${'Q2vLm7RkW4z'}`
  for (const command of [
    `mongosh -u ann -p ${secret}$(npm publish)`,
    `az login -p ${secret}\`npm publish\``,
  ]) {
    const redacted = redactCommand(command, { isShell: true })
    expect(redacted).not.toContain(secret)
    expect(redacted).toContain('npm publish')
  }
  const after = redactCommand(`vault login ${secret} -X DELETE`, { isShell: true })
  expect(after).toContain('-X DELETE')
})

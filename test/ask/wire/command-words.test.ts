import { expect, test } from 'bun:test'
import { commandWords } from '../../../src/ask/wire/command-words.ts'
import { readShellCommand } from '../../../src/ask/wire/reading/of-ask.ts'
import { startsCommand } from '../../../src/ask/wire/starts-command.ts'

function starts(pattern: string, command: string): boolean {
  const reading = readShellCommand(command, { isShell: true })
  const texts = { texts: [command], read: [command], isCut: false }
  return startsCommand(pattern, commandWords(texts, reading))
}

test.each([
  'terraform apply -auto-approve',
  'cd infra && terraform apply',
  'sudo terraform apply',
  '/usr/local/bin/terraform apply',
  'terraform -chdir=infra apply',
  'terraform -chdir infra --no-color apply',
  'A=1 terraform "apply"',
  't\\erraform apply',
  "$'terraform' apply",
  'bash -c "terraform apply"',
  'x=$(terraform apply)',
  'for i in 1 2; do terraform apply; done',
  'ssh host terraform apply',
  'ls | xargs terraform apply',
  'TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ456789 terraform apply',
  'mytool; terraform apply',
  "$'\\x74erraform' apply",
  "$'\\164erraform' apply; $X",
  'terra\\\nform apply; $X',
  'A=terraform; $A apply',
  'A=apply; terraform "$A"',
  'a=terra; "$a"form apply',
  '{terraform,apply}',
  'terraform$IFS"apply"',
  'terraform $@ apply',
  'terra$1form apply',
  'terraform "$(echo apply)"',
  'terraform -no-color "$cmd"',
  'terraform ap*',
  '/usr/bin/terrafor* apply',
  '"$TF" apply',
  'alias tf=terraform\ntf apply',
  'f(){ terraform "$@"; }; f apply',
  'set -- apply; terraform "$@"',
  'echo apply | xargs terraform',
  'terraform 2>/dev/null apply',
  'cp /usr/bin/terraform tf && ./tf apply',
  'TERRAFORM apply',
  'terraform.exe apply',
  `python3 -c "subprocess.run(['terraform', 'apply'])"`,
  'curl -H "authorization: Bearer $(terraform apply)"',
  `${'true; '.repeat(500)} A=terraform; $A apply`,
  'printf "terraform %s" apply | sh',
  "bash <(printf 'terraform %s' apply)",
  'docker run --entrypoint terraform image apply',
  'podman run hashicorp/terraform:1.5 apply',
  'nix run nixpkgs#terraform -- apply',
  'ln -s $(which terraform) t && ./t apply',
  'cp "$(command -v terraform)" x && ./x apply',
  'parallel terraform ::: apply',
  "vim -c '!terraform apply' -c q",
  "git -c alias.x='!terraform apply' x",
  `python3 -c "os.system('terraform '+'apply')"`,
  'TF_CLI_ARGS=apply terraform',
])('terraform apply* is in: %s', (command) => {
  expect(starts('terraform apply*', command)).toBe(true)
})

test.each([
  'terraform plan',
  'terraform plan -out apply',
  'echo terraform apply',
  'git commit -m "terraform apply"',
  'grep -r "terraform apply" docs',
  'cat terraform apply',
  'terraform -chdir="$D" plan',
  'terraform -chdir "$D" plan',
  'git commit -m "$(cat <<\'EOF\'\nfix: it was terraform apply\nEOF\n)"',
  "cat > run.sh <<'EOF'\nterraform apply\nEOF",
  'kubectl apply -f "$F"',
  '"$BIN/kubectl" apply -f x',
  'source .env; kubectl apply -f x',
  'ssh "$H" "$CMD"',
  `${'true; '.repeat(500)} $A`,
  'cd "$D" && git commit -m "terraform: apply the plan"',
  'for f in *.tf; do terraform fmt $f; done; echo apply',
  'terraform plan -out p.bin; git commit -m "apply"',
])('terraform apply* is not in: %s', (command) => {
  expect(starts('terraform apply*', command)).toBe(false)
})

test.each([
  'terr`aform apply',
  '.\\terraform apply',
  '& "C:\\bin\\terraform.exe" apply',
  'cmd /c terr^aform apply',
])('terraform apply* is in a line for PowerShell: %s', (command) => {
  const reading = readShellCommand(command, { toolName: 'PowerShell' })
  const texts = { texts: [command], read: [command], isCut: false }
  expect(startsCommand('terraform apply*', commandWords(texts, reading))).toBe(true)
})

test('a line of thousands of options is taken for one that holds it', () => {
  const line = `${'terraform -x '.repeat(20)}${'-y '.repeat(20_000)}`
  expect(starts('terraform apply*', `$Z ${line}`)).toBe(true)
})

test.each([
  ['git push*', 'git stash push', false],
  ['git push*', 'git -C sub push origin main', true],
  ['git push', 'cd a && git push', true],
  ['git push', 'cd a && git push origin', false],
  ['npm test *', 'cd a && npm test -- x', true],
  ['npm test *', 'cd a && npm testing', false],
  ['rm*', 'cd a; rm -rf b', true],
  ['./scripts/*', 'cd a; ./scripts/x.sh', true],
  ['git push*', 'git -C "$R" status', false],
  ['git push*', 'git log -n $N', false],
  ['git push', 'git push $X', true],
  ['rm -rf*', 'rm "$tmp"', false],
  ['npm run deploy*', 'npm run "$1"', true],
  ['npm run deploy*', 'for t in lint test; do npm run $t; done', false],
  ['npm publish*', 'SECRET=ghp_0123456789abcdefghijABCDEFGHIJ456789 npm publish', true],
] as const)('%s in %s: %p', (pattern, command, expected) => {
  expect(starts(pattern, command)).toBe(expected)
})

test.each([
  ['npm test', false, true],
  ['npm test', true, false],
  ['npm test && npm test', false, false],
  ['npm test\nnpm test', false, false],
] as const)('%j, cut: %p, is one command: %p', (command, isCut, expected) => {
  const reading = readShellCommand(command, { isShell: true })
  const words = commandWords({ texts: [command], read: [command], isCut }, reading)
  expect(words.isOneCommand).toBe(expected)
})

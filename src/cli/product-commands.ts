import { CLIENTS } from '../agent/clients/clients.ts'
import type { FolderState } from '../catalog/preview.ts'
import { type Command, DATA, JSON_OUT } from '../platform/command.ts'
import { CATALOG } from './catalog-command.ts'
import { CLIENT_COMMANDS, SERVER, TOKEN } from './client-commands.ts'
import { HEALTH } from './health/command.ts'
import { POLICY } from './policy-command.ts'
import { SERVICE } from './service/command.ts'

/** The commands of the product, in the order of the help. A new one is a file and a row here. */
export const PRODUCT_COMMANDS: readonly Command<FolderState>[] = [
  {
    name: 'serve',
    summary: 'run the server',
    usage: [
      'serve [--host 127.0.0.1] [--port 8484] [--data ./data] [--base-url URL]',
      'serve --domain NAME [--https-port 443] [--http-port 80] [--acme-directory staging|URL]',
      'serve --check [--data ./data]',
      'serve --watch DIR [--host 127.0.0.1] [--port 8485] [--base-url URL]',
    ],
    options: [
      ['--host HOST', 'the address to listen on; 0.0.0.0 is every one (BECKON_HOST)'],
      ['--port PORT', 'the port to listen on (BECKON_PORT)'],
      ['--base-url URL', 'the address people and agents use (BECKON_BASE_URL)'],
      [
        '--domain NAME',
        'serve https under this name, with a certificate of its own; several are separated by commas (BECKON_DOMAIN)',
      ],
      ['--https-port PORT', 'the port for https (BECKON_HTTPS_PORT)'],
      ['--http-port PORT', 'the port for challenges and redirects to https (BECKON_HTTP_PORT)'],
      [
        '--acme-directory URL',
        'who makes the certificate: staging, or the address of an ACME directory (BECKON_ACME_DIRECTORY)',
      ],
      DATA,
      [
        '--check',
        'start on a copy of the data, answer once and end: whether this version can serve it',
      ],
      [
        '--watch DIR',
        'show the files of a catalog as they are and follow them, such as beckon serve --watch my-catalog; nothing is published, no data folder is opened',
      ],
    ],
    example: 'beckon serve --base-url https://beckon.example.com',
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'user',
    summary: 'add, list and reset the people who sign in',
    usage: [
      'user add --email E [--name N] [--role owner|member|auditor] [--password-stdin]',
      'user list [--json]',
      'user reset --email E [--password-stdin]',
    ],
    options: [
      ['--email E', 'the address the person signs in with'],
      ['--name N', 'how the person is called (default: the part before the @)'],
      [
        '--role ROLE',
        'owner, member or auditor (default: owner for the first person, else member)',
      ],
      [
        '--password-stdin',
        'read the password from standard input; without it, print a one-time link',
      ],
      ['--base-url URL', 'the address of the server in the link (BECKON_BASE_URL)'],
      JSON_OUT,
      DATA,
    ],
    example: 'beckon user add --email ada@example.com --name Ada',
    load: async () => (await import('./user.ts')).user,
  },
  {
    name: 'expose',
    summary: 'make the server reachable for phones over https',
    usage: ['expose tailscale [--port 8484] [--https-port 443]'],
    options: [
      ['--port PORT', 'the port the server listens on (BECKON_PORT)'],
      ['--https-port PORT', 'the port that Tailscale opens for your own devices'],
      DATA,
    ],
    example: 'beckon expose tailscale --data /var/lib/beckon',
    load: async () => (await import('./expose/expose.ts')).expose,
  },
  {
    name: 'pair',
    summary: 'sign a phone in with a QR code in this terminal',
    usage: ['pair [--email E] [--base-url URL]'],
    options: [
      ['--email E', 'whose phone it is; not needed while there is one person'],
      ['--base-url URL', 'the address of the server in the link (BECKON_BASE_URL)'],
      DATA,
    ],
    example: 'beckon pair --email ada@example.com',
    load: async () => (await import('./pair.ts')).pair,
  },
  {
    name: 'key',
    summary: 'create, list and revoke the tokens of agents',
    usage: [
      'key create --name N [--owner E|G] [--workspace W] [--test] [--json]',
      'key list [--workspace W] [--json]',
      'key revoke ID',
    ],
    options: [
      ['--name N', 'what the token is for, like "laptop"'],
      [
        '--owner E|G',
        'whose it is: the address of a person or the name of a group; not needed while one person is here',
      ],
      ['--workspace W', 'name or id of the workspace (default: the only or first one)'],
      ['--test', 'everything the token sends is recorded and delivered to nobody'],
      JSON_OUT,
      DATA,
    ],
    example: 'beckon key create --name laptop',
    load: async () => (await import('./key.ts')).key,
  },
  ...CLIENT_COMMANDS,
  {
    name: 'hook',
    words: CLIENTS.map(({ name }) => name),
    summary: 'what agents run around their tools; beckon setup writes it',
    usage: ['hook CLIENT [EVENT] [--strict]'],
    options: [
      ['CLIENT', 'the agent that calls, by the names of beckon setup'],
      ['EVENT', 'for agents whose input does not name the event'],
      ['--strict', 'while a scope holds, stop commands that cannot be fully understood'],
      ['standard input', 'the JSON of the agent'],
    ],
    example: 'beckon hook claude < call.json',
    load: async () => (await import('../agent/commands/hook.ts')).hook,
  },
  {
    name: 'jail',
    summary: 'run a command that can change only what you name',
    usage: [
      'jail [--write PATH]… [--keep PATH]… [--deny PATH]… [--env NAME=VALUE]… [--no-state] [--no-namespaces] [--best-effort] -- COMMAND…',
      'jail --session CLIENT [--session-id ID]… [--env NAME=VALUE]… -- COMMAND…',
      'jail --session CLIENT --server [--env NAME=VALUE]… -- COMMAND…',
    ],
    options: [
      ['--write PATH', 'a file, or a folder with all that is in it, that may be changed'],
      ['--keep PATH', 'not to be changed, even inside of what may be'],
      ['--deny PATH', 'not to be read either'],
      ['--env NAME=VALUE', 'a variable of the command alone'],
      ['--session CLIENT', 'only what the scope of its session allows; beckon setup writes it'],
      ['--server', 'an MCP server of the client: started again when the scope changes'],
      ['--no-state', 'without temporary folders, caches, toolchain folders, and the folder of git'],
      ['--no-namespaces', 'with Landlock alone: modes and times of files are then not protected'],
      ['--best-effort', 'run it also where it cannot be contained, and say what is not held'],
      ['exit code', 'that of the command; 125 not contained, 126 not executable, 127 not found'],
    ],
    example: 'beckon jail --write src --deny .env -- npm test',
    load: async () => (await import('../agent/commands/jail.ts')).jail,
  },
  {
    name: 'gate',
    summary: 'an MCP server whose tool calls a rule or a person allows',
    usage: [
      'gate NAME [--hold SECONDS] -- COMMAND…',
      'gate add NAME…|--all [--jail] [--client CLIENT]… [--project] [--dry-run] [--yes] [--json]',
      'gate remove NAME…|--all [--jail] [--client CLIENT]… [--project] [--dry-run] [--yes] [--json]',
    ],
    options: [
      ['NAME', 'the name of the server in its client: rules for mcp__NAME__TOOL decide'],
      ['add, remove', 'put a gate before servers in the files of clients, or take it away'],
      ['--all', 'every server that a client starts'],
      ['--jail', 'also hold the servers in the jail, or let them out, on Linux'],
      [
        '--client CLIENT',
        'by the names of beckon setup; without it every client that is found here',
      ],
      ['--project', 'the files of the project in this folder in place of your own'],
      ['--dry-run', 'show what would change, and change nothing'],
      ['--yes', 'do not ask before writing'],
      JSON_OUT,
      [
        '--hold SECONDS',
        'how long a call waits for a person: what its client waits, less 20 (280)',
      ],
      ['COMMAND', 'what starts the server; its input, output and variables are passed on'],
      SERVER,
      TOKEN,
      ['client.json', 'what beckon setup wrote is used where a variable is not set'],
      ['exit code', 'that of the server; 126 not executable, 127 not found'],
    ],
    example: 'beckon gate files --hold 600 -- npx -y @modelcontextprotocol/server-filesystem .',
    examples: {
      add: 'beckon gate add files --client claude',
      remove: 'beckon gate remove --all',
    },
    load: async () => async (args) => {
      const [way, ...rest] = args
      if (way !== 'add' && way !== 'remove') {
        return await (await import('../agent/commands/gate.ts')).gate(args)
      }
      const { gateServers } = await import('../agent/commands/gate-servers.ts')
      const { configReader } = await import('../settings.ts')
      return await gateServers(way, rest, configReader)
    },
  },
  {
    name: 'mcp',
    summary: 'MCP over standard input and output, for agents that start it',
    usage: ['mcp [--hold SECONDS]'],
    options: [
      ['--hold SECONDS', 'how long this client waits for a call, if that is longer than usual'],
      SERVER,
      TOKEN,
      ['client.json', 'what beckon setup wrote is used where a variable is not set'],
    ],
    example: 'claude mcp add --scope user beckon -- beckon mcp',
    load: async () => {
      const { mcp } = await import('../agent/commands/mcp.ts')
      const { configReader } = await import('../settings.ts')
      // The tools are only loaded while the server is away.
      return (args) =>
        mcp(args, configReader.readClientConfig, async (...request) =>
          (await import('../ask/mcp/without-server.ts')).answerWithoutServer(...request),
        )
    },
  },
  {
    name: 'setup',
    words: CLIENTS.map(({ name }) => name),
    summary: 'connect the agents of this machine: MCP entry, approval, hooks',
    usage: [
      'setup [CLIENT…] [--url U] [--token-stdin] [--dry-run] [--yes] [--http] [--[no-]strict] [--[no-]jail-server S]…',
      'setup [CLIENT…] --sign-in [--url U] [--dry-run] [--yes]',
      'setup [CLIENT…] --undo [--dry-run] [--yes]',
      'setup [CLIENT…] --check [--json]',
      'setup claude --plugin FOLDER [--http] [--[no-]strict]',
    ],
    options: [
      [
        'CLIENT',
        `${CLIENTS.map(({ name }) => name).join(', ')}; without one, every client that is found here`,
      ],
      [
        '--url U',
        'the address of the server (BECKON_URL, else what was set up before, else asked)',
      ],
      ['--token-stdin', 'read the agent token from standard input (BECKON_TOKEN, else as above)'],
      ['--dry-run', 'show what would change, and change nothing'],
      ['--undo', 'remove what setup wrote; a file that was not changed since is restored'],
      ['--yes', 'do not ask before writing'],
      ['--http', 'let clients call the server themselves; their files then contain the token'],
      [
        '--sign-in',
        'write the address alone: clients that can sign in do so in the browser; without a token and hooks',
      ],
      [
        '--strict',
        'when in doubt, stop: commands that cannot be fully understood while a scope holds, and tools whose hook fails, where the client can do that; stays on when setup runs again',
      ],
      ['--no-strict', 'switch --strict off again'],
      [
        '--wait-next',
        'after a long turn the end-of-turn hook of these clients waits for what you say next; stays so until --no-wait-next or --undo',
      ],
      ['--no-wait-next', 'switch --wait-next off again'],
      [
        '--jail-server S',
        'start the MCP server S of the client in the scopes that hold; stays so until --no-jail-server S or --undo',
      ],
      ['--native-deny', 'let the client itself keep agents away from the token and the state'],
      ['--project', 'set up the project in this folder instead of your own files'],
      ['--check', 'test the setup: start the hook of each client as the client would'],
      ['--plugin FOLDER', 'for Claude Code: a plugin in place of entries in its settings'],
      ['--json', 'print JSON instead of text'],
      ['exit code', '0 done, 1 something was left as it is, 2 wrong usage, 5 no service'],
    ],
    example: 'beckon setup claude codex --url https://beckon.example.com',
    load: async () => {
      const { setup } = await import('../agent/commands/setup.ts')
      const { configReader } = await import('../settings.ts')
      const pair = async (args: string[]) => (await import('./pair.ts')).pair(args)
      return (args) => setup(args, configReader, pair)
    },
  },
  {
    name: 'update',
    summary: 'replace this program with the newest release',
    usage: ['update [--yes] [--data ./data] [--from URL]', 'update --check [--json] [--from URL]'],
    options: [
      ['--yes', 'do not ask before replacing'],
      ['--check', 'only say whether there is a newer one'],
      [
        '--from URL',
        'take releases from this address, such as a mirror; their signature is checked all the same',
      ],
      DATA,
      JSON_OUT,
      [
        'exit code',
        '0 newest or updated, 1 not updated or (--check) a newer one is out, 5 not reached',
      ],
    ],
    example: 'beckon update --check || beckon update --yes',
    load: async () => (await import('./update/update.ts')).update,
  },
  {
    name: 'doctor',
    summary: 'prove each link from an agent to your phone',
    usage: [
      'doctor [--json] [--data FOLDER] [--port PORT] [--base-url URL] [--domain NAME]',
      'doctor --oauth URL [--json]',
      'doctor --sign-in NAME [--json] [--data FOLDER]',
    ],
    options: [
      ['--port PORT', 'the port the server listens on (BECKON_PORT)'],
      ['--host HOST', 'the address the server listens on (BECKON_HOST)'],
      ['--base-url URL', 'the address people and agents use (BECKON_BASE_URL)'],
      ['--domain NAME', 'the name the server has a certificate for (BECKON_DOMAIN)'],
      ['--oauth URL', 'from any machine: whether clients find how to sign in there'],
      ['--sign-in NAME', 'whether people can sign in with this provider of their company'],
      JSON_OUT,
      DATA,
      [
        'exit code',
        '0 nothing is broken; else the first broken link: 2 configuration, 3 storage, 4 server, 5 address, https or proxy, 6 push, clock or alarms, 7 no person, device or token',
      ],
    ],
    example: 'beckon doctor --data /var/lib/beckon',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  HEALTH,
  SERVICE,
  CATALOG,
  {
    name: 'receipts',
    summary: 'check the receipt of a decision, without a server',
    usage: ['receipts verify FILE [--key FILE|PEM] [--json]'],
    options: [
      ['--key FILE', 'the public key of the server, from GET /api/v1/receipts/key; PEM or a file'],
      JSON_OUT,
      ['exit code', '0 as it was signed, 1 not'],
    ],
    example: 'beckon receipts verify receipt.json --key beckon-key.pem',
    load: async () => (await import('./receipts.ts')).receipts,
  },
  POLICY,
  {
    name: 'audit',
    summary: 'copy the audit trail, and check that it is as it was written',
    usage: ['audit verify [FILE] [--key FILE|PEM] [--json]', 'audit export'],
    options: [
      ['FILE', 'check this copy, which audit export wrote, without the server; needs --key'],
      ['--key FILE', 'the public key of the server (default: the one in the data folder)'],
      JSON_OUT,
      DATA,
      ['exit code', '0 as it was written, 1 not; the first wrong row is named'],
    ],
    example: 'beckon audit verify --data /var/lib/beckon',
    load: async () => (await import('./audit.ts')).audit,
  },
  {
    name: 'backup',
    summary: 'copy the database into one file, with the server running or not',
    usage: ['backup FILE [--force]', 'backup --snapshot'],
    options: [
      ['--force', 'replace FILE when it exists'],
      ['--snapshot', 'make one of the snapshots that the server makes each night'],
      DATA,
    ],
    example: 'beckon backup /backup/beckon-2026-01-31.db --data /var/lib/beckon',
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'replace the database with a backup; the server must be stopped',
    usage: ['restore FILE', 'restore --snapshot'],
    options: [['--snapshot', 'take the newest snapshot that the server has made'], DATA],
    example: 'beckon restore /backup/beckon-2026-01-31.db --data /var/lib/beckon',
    load: async () => (await import('./backup.ts')).restore,
  },
  {
    name: 'migrate',
    summary: 'bring the database up to date, or copy it to PostgreSQL and back',
    usage: ['migrate', 'migrate --to URL [--force] [--json]', 'migrate --from URL [--json]'],
    options: [
      [
        '--to URL',
        'copy the data folder to this PostgreSQL database, whole, and compare; the server must be stopped; the password is better in PGPASSWORD, since others see a command line',
      ],
      [
        '--from URL',
        'copy that PostgreSQL database to the data folder; what stood there is kept beside it',
      ],
      ['--force', 'replace what the PostgreSQL database holds'],
      ['--json', 'print the rows and the checksum of each table as JSON'],
      DATA,
    ],
    example:
      'beckon migrate --to postgres://beckon@db.example.com:5432/beckon --data /var/lib/beckon',
    load: async () => (await import('./migrate.ts')).migrate,
  },
]

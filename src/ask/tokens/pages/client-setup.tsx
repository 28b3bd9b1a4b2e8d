/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { Code, CopyButton } from '../../../platform/web/page-parts.tsx'

type Client = { name: string; steps: Array<{ say: string; file?: string; text: string }> }

/** Builds the configuration of each client, ready to paste, from the clients' own documentation. */
function clientsFor(baseUrl: string, token: string): Client[] {
  const url = `${baseUrl}/api/mcp/mcp`
  const headers = { Authorization: `Bearer ${token}`, 'X-Beckon-Hold': '600' }
  return [
    {
      name: 'All of a machine',
      steps: [
        {
          say: 'Run this where the agents are; it asks for the token',
          text: `beckon setup --url ${baseUrl}`,
        },
      ],
    },
    {
      name: 'Claude Code',
      steps: [
        {
          say: 'Run this once',
          text: `claude mcp add --transport http --scope user beckon ${url} --header "Authorization: Bearer ${token}" --header "X-Beckon-Hold: 600"`,
        },
        {
          say: 'Let it ask without a prompt, in',
          file: '~/.claude/settings.json',
          text: json({ permissions: { allow: ['mcp__beckon__*'] } }),
        },
      ],
    },
    {
      name: 'Codex',
      steps: [
        {
          say: 'Add to',
          file: '~/.codex/config.toml',
          text: [
            '[mcp_servers.beckon]',
            `url = "${url}"`,
            `http_headers = { "Authorization" = "Bearer ${token}", "X-Beckon-Hold" = "600" }`,
            'tool_timeout_sec = 660',
            'default_tools_approval_mode = "approve"',
          ].join('\n'),
        },
      ],
    },
    {
      name: 'Gemini CLI',
      steps: [
        {
          say: 'Add to',
          file: '~/.gemini/settings.json',
          text: json({
            mcpServers: {
              beckon: { httpUrl: `${url}?ask=ask_human`, headers, timeout: 660_000, trust: true },
            },
          }),
        },
      ],
    },
    {
      name: 'Copilot CLI',
      steps: [
        {
          say: 'Add to',
          file: '~/.copilot/mcp-config.json',
          text: json({ mcpServers: { beckon: { type: 'http', url, headers, tools: ['*'] } } }),
        },
      ],
    },
    {
      name: 'OpenCode',
      steps: [
        {
          say: 'Add to',
          file: '~/.config/opencode/opencode.json',
          text: json({
            mcp: { beckon: { type: 'remote', url, headers, enabled: true, timeout: 660_000 } },
          }),
        },
      ],
    },
  ]
}

/** One section for each client, the first one open. */
export function ClientInstructions({ baseUrl, token }: { baseUrl: string; token: string }) {
  return (
    <div class="clients">
      {clientsFor(baseUrl, token).map(({ name, steps }, i) => (
        <details name="client" open={i === 0}>
          <summary>
            <Icon name="chevron" />
            {name}
          </summary>
          {steps.map(({ say, file, text }) => (
            <div class="paste" data-copy-from>
              <p>
                <span>
                  {say} {file && <code>{file}</code>}
                </span>
                <CopyButton />
              </p>
              <Code name={`For ${name}`}>{text}</Code>
            </div>
          ))}
        </details>
      ))}
    </div>
  )
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

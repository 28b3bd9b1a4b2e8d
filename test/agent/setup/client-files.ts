/**
 * Files as people have them, with what is theirs: comments, other servers, other hooks. By client,
 * then by path from the home; the shapes are those of the clients' documents.
 */
export const CLIENT_FILES: Record<string, Record<string, string>> = {
  claude: {
    '.claude.json':
      '{\n  "numStartups": 7,\n  "projects": { "/x": { "allowedTools": [] } },\n  "mcpServers": {}\n}',
    '.claude/settings.json': `{
  // the team's guard comes first
  "permissions": {
    "allow": ["Bash(ls:*)"], // harmless
    "deny": ["Read(./.env)"]
  },
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [{ "type": "command", "command": "/usr/bin/guard", "timeout": 3 }]
      }
    ],
    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]
  }
}
`,
  },
  codex: {
    '.codex/config.toml': `# my codex
model = "gpt-5.5" # keep
notify = ["bell", "--once"]

[mcp_servers.other]
command = "npx"
args = [
  "-y", # without a question
  "other",
]

[[hooks.PreToolUse]]
matcher = "^Bash$"
[[hooks.PreToolUse.hooks]]
type = "command"
command = '/usr/bin/guard "$1"'

[hooks.state."/c:pre_tool_use:0:0"]
trusted_hash = "sha256:abc"

[projects."/x"]
trust_level = "trusted"
`,
  },
  copilot: {
    '.copilot/mcp-config.json':
      '{\n\t"mcpServers": {\n\t\t"other": { "type": "local", "command": "x", "args": [], "tools": ["*"] } // theirs\n\t}\n}\n',
    '.copilot/hooks/guard.json':
      '{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"/usr/bin/guard"}]}}',
  },
  vscode: {
    '.config/Code/User/mcp.json':
      '{\r\n    // servers\r\n    "servers": {\r\n        "other": { "type": "stdio", "command": "x" },\r\n    },\r\n    "inputs": [],\r\n}\r\n',
  },
  cursor: {
    '.cursor/mcp.json': '{"mcpServers":{"other":{"url":"https://other.example.com/mcp"}}}',
    '.cursor/hooks.json':
      '{\n  "version": 1,\n  "hooks": {\n    "preToolUse": [{ "command": "./guard.sh", "matcher": "Shell" }]\n  }\n}\n',
  },
  agy: {
    '.gemini/config/mcp_config.json': '{\n  "mcpServers": {}\n}\n',
    '.gemini/config/hooks.json':
      '{\n  "guard": {\n    "PreToolUse": [{ "matcher": "*", "hooks": [{ "type": "command", "command": "guard", "timeout": 5 }] }]\n  }\n}\n',
  },
  opencode: {
    '.config/opencode/opencode.jsonc':
      '{\n  "$schema": "https://opencode.ai/config.json",\n  // models\n  "model": "local/small",\n  "mcp": {\n    /* other */\n    "other": { "type": "local", "command": ["x"], "enabled": true },\n  },\n}\n',
  },
  gemini: {
    '.gemini/settings.json':
      '{\n  "security": { "auth": { "selectedType": "oauth-personal" } },\n  "hooks": {\n    "BeforeTool": [{ "matcher": "write_file", "hooks": [{ "type": "command", "name": "guard", "command": "guard", "timeout": 500 }] }] // guard\n  }\n}\n',
  },
  qwen: {
    '.qwen/settings.json':
      '{\n    "theme": "Dark",\n    "mcpServers": { "other": { "command": "x" } }\n}',
  },
  droid: {
    '.factory/mcp.json': '{ "mcpServers": { "other": { "type": "stdio", "command": "x" } } }\n',
    '.factory/hooks.json':
      '{\n  "PreToolUse": [{ "matcher": "Execute", "hooks": [{ "type": "command", "command": "guard" }] }]\n}\n',
  },
  goose: { '.config/goose/config.yaml': 'extensions:\n  developer:\n    enabled: true\n' },
  windsurf: {
    '.codeium/windsurf/mcp_config.json': '',
    '.codeium/windsurf/hooks.json':
      '{"hooks":{"pre_run_command":[{"command":"guard","show_output":true}]}}',
  },
  cline: {
    '.cline/data/settings/cline_mcp_settings.json': '{\n  "mcpServers": {\n  }\n}\n',
  },
  zed: {
    '.config/zed/settings.json':
      '// Zed settings\n//\n// For information on how to configure Zed, see its documentation.\n{\n  "theme": "One Dark", // dark\n  "context_servers": {\n    // none yet\n  }\n}\n',
  },
}

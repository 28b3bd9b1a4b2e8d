type Json = Record<string, unknown>

/** One session of a client, in its own words. */
export type Session = {
  start: Json
  /** A tool that writes a file, before it runs. */
  write(path: string): Json
  shell(command: string): Json
  /** Our own tool has run. */
  proposed: Json
}

const PROPOSE = 'beckon_propose_scope'
const TIME = '2026-11-21T08:25:22.515Z'

/** The sessions of all clients in one project; fields as in the recorded and documented payloads. */
export function sessionsIn(cwd: string): Record<string, Session> {
  const claude = { session_id: 's1', transcript_path: '/t.jsonl', cwd }
  const tool = (event: string, name: string, input: Json, more: Json = {}) => ({
    hook_event_name: event,
    tool_name: name,
    tool_input: input,
    ...more,
  })
  const copilot = { sessionId: 's1', timestamp: 1795249520928, cwd }
  const pascal = { session_id: 's1', timestamp: TIME, cwd }
  const vscode = { timestamp: TIME, cwd, sessionId: 's1', transcript_path: '/t.json' }
  const cursor = {
    conversation_id: 's1',
    generation_id: 'g1',
    cursor_version: '2.0.77',
    workspace_roots: [cwd],
  }
  const agy = { conversationId: 's1', stepIdx: 3, workspacePaths: [cwd] }
  const gemini = { ...claude, timestamp: TIME }
  const qwen = { ...claude, permission_mode: 'default' }
  const goose = { session_id: 's1', working_dir: cwd, tool_call_id: 'call_1' }
  const windsurf = { trajectory_id: 's1', execution_id: 'e1' }
  const cline = { clineVersion: '3.36.0', taskId: 's1', workspaceRoots: [cwd] }
  const opencode = { cwd, roots: [cwd] }
  const call = { sessionID: 's1', callID: 'call_1' }
  return {
    copilot: {
      start: { ...copilot, source: 'new' },
      write: (path) => ({ ...copilot, toolName: 'create', toolArgs: { path, file_text: 'x' } }),
      shell: (command) => ({ ...copilot, toolName: 'bash', toolArgs: { command } }),
      proposed: { ...copilot, toolName: 'beckon-propose_scope', toolArgs: {}, toolResult: {} },
    },
    'copilot (PascalCase)': {
      start: { ...pascal, hook_event_name: 'SessionStart', source: 'new' },
      write: (path) => ({ ...pascal, ...tool('PreToolUse', 'Write', { path }) }),
      shell: (command) => ({ ...pascal, ...tool('PreToolUse', 'Bash', { command }) }),
      proposed: { ...pascal, ...tool('PostToolUse', 'beckon-propose_scope', {}) },
    },
    vscode: {
      start: { ...vscode, hookEventName: 'SessionStart', source: 'new' },
      write: (filePath) => ({
        ...vscode,
        ...tool('', 'create_file', { filePath }),
        hookEventName: 'PreToolUse',
      }),
      shell: (command) => ({
        ...vscode,
        ...tool('', 'run_in_terminal', { command }),
        hookEventName: 'PreToolUse',
      }),
      proposed: { ...vscode, ...tool('', PROPOSE, {}), hookEventName: 'PostToolUse' },
    },
    cursor: {
      start: { ...cursor, hook_event_name: 'sessionStart' },
      write: (path) => ({ ...cursor, ...tool('preToolUse', 'Write', { path }) }),
      shell: (command) => ({
        ...cursor,
        hook_event_name: 'beforeShellExecution',
        command,
        cwd: '',
      }),
      proposed: { ...cursor, ...tool('postToolUse', 'MCP:propose_scope', {}) },
    },
    agy: {
      start: { ...agy, invocationNum: 1 },
      write: (TargetFile) => ({
        ...agy,
        toolCall: { name: 'write_to_file', args: { TargetFile: JSON.stringify(TargetFile) } },
      }),
      shell: (CommandLine) => ({
        ...agy,
        toolCall: { name: 'run_command', args: { CommandLine } },
      }),
      proposed: { ...agy, toolCall: { name: PROPOSE, args: {} } },
    },
    opencode: {
      start: { ...opencode, event: 'session.created', properties: { info: { id: 's1' } } },
      write: (filePath) => ({
        ...opencode,
        event: 'tool.execute.before',
        input: { tool: 'write', ...call },
        output: { args: { filePath, content: 'x' } },
      }),
      shell: (command) => ({
        ...opencode,
        event: 'tool.execute.before',
        input: { tool: 'bash', ...call },
        output: { args: { command } },
      }),
      proposed: {
        ...opencode,
        event: 'tool.execute.after',
        input: { tool: PROPOSE, ...call, args: {} },
      },
    },
    gemini: {
      start: { ...gemini, hook_event_name: 'SessionStart', source: 'startup' },
      write: (path) => ({ ...gemini, ...tool('BeforeTool', 'write_file', { file_path: path }) }),
      shell: (command) => ({ ...gemini, ...tool('BeforeTool', 'run_shell_command', { command }) }),
      proposed: { ...gemini, ...tool('AfterTool', `mcp_${PROPOSE}`, {}) },
    },
    qwen: {
      start: { ...qwen, hook_event_name: 'SessionStart', source: 'startup' },
      write: (path) => ({
        ...qwen,
        ...tool('PreToolUse', 'write_file', { file_path: path }, { tool_use_id: 't1' }),
      }),
      shell: (command) => ({ ...qwen, ...tool('PreToolUse', 'run_shell_command', { command }) }),
      proposed: { ...qwen, ...tool('PostToolUse', `mcp__${PROPOSE}`, {}) },
    },
    droid: {
      start: { ...claude, hook_event_name: 'SessionStart', source: 'startup' },
      write: (path) => ({ ...claude, ...tool('PreToolUse', 'Create', { file_path: path }) }),
      shell: (command) => ({ ...claude, ...tool('PreToolUse', 'Execute', { command }) }),
      proposed: { ...claude, ...tool('PostToolUse', `mcp__${PROPOSE}`, {}) },
    },
    goose: {
      start: { event: 'SessionStart', session_id: 's1' },
      write: (path) => ({
        ...goose,
        event: 'PreToolUse',
        tool_name: 'developer__write',
        tool_input: { path, content: 'x' },
      }),
      shell: (command) => ({
        ...goose,
        event: 'PreToolUse',
        tool_name: 'developer__shell',
        tool_input: { command },
      }),
      proposed: { ...goose, event: 'PostToolUse', tool_name: `beckon__${PROPOSE}`, tool_input: {} },
    },
    windsurf: {
      start: { ...windsurf, agent_action_name: 'pre_user_prompt', tool_info: {} },
      write: (file_path) => ({
        ...windsurf,
        agent_action_name: 'pre_write_code',
        tool_info: { file_path, edits: [] },
      }),
      shell: (command_line) => ({
        ...windsurf,
        agent_action_name: 'pre_run_command',
        tool_info: { command_line, cwd },
      }),
      proposed: {
        ...windsurf,
        agent_action_name: 'post_mcp_tool_use',
        tool_info: { mcp_server_name: 'beckon', mcp_tool_name: 'propose_scope' },
      },
    },
    cline: {
      start: { ...cline, hookName: 'TaskStart', taskStart: {} },
      write: (path) => ({
        ...cline,
        hookName: 'PreToolUse',
        preToolUse: { toolName: 'write_to_file', parameters: { path, content: 'x' } },
      }),
      shell: (command) => ({
        ...cline,
        hookName: 'PreToolUse',
        preToolUse: { toolName: 'execute_command', parameters: { command } },
      }),
      proposed: {
        ...cline,
        hookName: 'PostToolUse',
        postToolUse: {
          toolName: 'use_mcp_tool',
          parameters: { server_name: 'beckon', tool_name: 'propose_scope', arguments: '{}' },
        },
      },
    },
  }
}

/** The client's name in `beckon hook NAME`, and the event its entry names where the input does not. */
export function commandOf(name: string, what: keyof Session): string[] {
  const [client = ''] = name.split(' ')
  return client === 'agy' && what === 'proposed'
    ? ['hook', client, 'PostToolUse']
    : ['hook', client]
}

import { PASS_THROUGH } from '../../../../src/ask/mcp/exchange.ts'
import type { Runner, Toolbox } from '../../../../src/ask/mcp/toolbox.ts'
import { META } from '../../../../src/platform/mcp/era.ts'
import { Refused, RPC, refusal } from '../../../../src/platform/mcp/errors.ts'
import { type Fields, isFields } from '../../../../src/platform/mcp/message.ts'
import type { CallResult } from '../../../../src/platform/mcp/result.ts'
import { failed } from '../../../../src/platform/mcp/result.ts'
import { inputTools } from './input-tools.ts'
import { SCHEMA_TOOL } from './schema-tool.ts'
import { fixtureTasks, taskTools } from './task-tools.ts'

export type Run = (
  call: Parameters<Runner['run']>[1],
  params: Fields,
) => (Partial<CallResult> & Fields) | Promise<Partial<CallResult> & Fields>

// The smallest PNG and WAV that are whole.
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=='

const image = { type: 'image', data: PNG, mimeType: 'image/png' }
const text = (words: string) => ({ type: 'text', text: words })

/** What the runner's scenarios want of a server's tools. */
const RUNS: Record<string, Run> = {
  test_simple_text: () => ({ content: [text('This is a simple text response for testing.')] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  test_error_handling: () => ({
    isError: true,
    content: [text('This tool intentionally returns an error for testing')],
  }),
  async test_tool_with_progress({ talk }) {
    for (const step of [0, 50, 100]) {
      await Bun.sleep(5)
      talk({ waitedMs: step, totalMs: 100, message: 'Working' })
    }
    return { content: [text('done')] }
  },
  test_missing_capability(_call, { _meta }) {
    const declared = isFields(_meta) ? _meta[META.capabilities] : undefined
    if (isFields(declared) && declared.sampling) return { content: [text('done')] }
    throw new Refused(
      refusal(400, RPC.missingCapability, 'This tool needs sampling.', {
        requiredCapabilities: { sampling: {} },
      }),
    )
  },
  test_streaming_elicitation: () => ({ content: [text('done')] }),
  test_logging_tool: () => ({ content: [text('done')] }),
  [SCHEMA_TOOL.name]: () => ({ content: [text('done')] }),
  ...inputTools,
  ...taskTools,
}

const WAITING = new Set(['test_tool_with_progress', 'test_streaming_elicitation'])

/** The runner's tools, on our own transport. */
export const FIXTURES: Toolbox = {
  instructions: 'Tools of the conformance runner.',
  failure: failed,
  tasks: fixtureTasks,
  listed: Object.keys(RUNS).map((name) => ({
    name,
    description: `Fixture ${name}.`,
    inputSchema: { type: 'object' },
    ...(name === SCHEMA_TOOL.name ? SCHEMA_TOOL : {}),
  })),
  find(name) {
    const run = Object.hasOwn(RUNS, name) ? RUNS[name] : undefined
    if (!run) return undefined
    return {
      ...PASS_THROUGH,
      waits: () => WAITING.has(name),
      run: async (_args, call, params) => (await run(call, params)) as CallResult,
    }
  },
}

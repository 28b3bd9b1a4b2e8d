import { protect } from '../../../packages/js/src/protect.ts'

/** What a worker answers: a protected function called, with the server that its address names. */
export async function answer(request: Request): Promise<Response> {
  const url = new URL(request.url).searchParams.get('to') ?? ''
  const server = { url, token: 'bk_t' }
  const act = protect((args: object) => args, { name: 'act', waitMs: 1_500, server })
  return Response.json(await act({ id: 7 }))
}

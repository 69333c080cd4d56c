import { beforeAll } from 'vitest'

import { eventually, signIn } from '../server-process.ts'
import { demoSeptet, type SharedSeptet } from '../shared/shared.ts'

export let septet: SharedSeptet
export let headers: Record<string, string> = {}
export const get = async (path: string): Promise<Response> => fetch(`${septet.url}${path}`, { headers })
export async function json<Value = Record<string, unknown>>(path: string): Promise<Value> {
  const answer: Value = await (await get(path)).json()
  return answer
}

/** Opens what the tests of a file look at, and closes it after them. */
export function openBeforeTests(): void {
  beforeAll(async () => {
    septet = await demoSeptet()
    headers = await signIn(septet)
    await eventually(
      () => get('/readyz'),
      (answer) => answer.status === 200,
    )
    await eventually(
      () => get('/api/v1/summary?cluster=demo'),
      (answer) => answer.status === 200,
    )
  })
}

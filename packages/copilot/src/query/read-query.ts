import type { Ask } from '@septet/tools'
import { instant } from '@septet/domain'

import { namesOf } from './names.ts'
import { type Understood, understand } from './query.ts'
import { readLine } from './read-line.ts'

type Asked = { readonly line: string; readonly cluster: string | undefined; readonly zone: string }

/** What a line asks for, as whoever asks it may know. Throws the `Refusal` of what names are read from. */
export async function readQuery({ line, cluster, zone }: Asked, ask: Ask, now: number): Promise<Understood> {
  return understand(await readLine(line, namesOf(ask, cluster), { now: instant(now), zone }))
}

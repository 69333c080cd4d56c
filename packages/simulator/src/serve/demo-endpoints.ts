import { errorText } from '@septet/domain/words'
import { z } from 'zod'
import type { Demo } from './cluster/cluster.ts'
import { beginFault, endFault, type CutWatches } from './cluster/faults/begin-fault.ts'
import { FAULT_KINDS, FAULT_NAMES } from './cluster/faults/fault-kinds.ts'
import type { Json } from './kube/json.ts'
import { Refused, badRequest, noSuchPath } from './kube/status.ts'
import type { RequestLog } from './request-log.ts'

/** What a test asks of the demo itself, beside what any cluster has. */
export type Stage = { readonly cluster: Demo; readonly requests: RequestLog; readonly cutWatches: CutWatches }

type Asked = { readonly method: string; readonly path: string; readonly body: Json }
type Told = { readonly code: number; readonly body: object }

const Wish = z.strictObject({
  kind: z.enum(FAULT_NAMES),
  node: z.string().min(1).optional(),
  pod: z.string().min(1).optional(),
  resource: z.string().min(1).optional(),
  times: z.int().min(1).optional(),
  seconds: z.number().min(0).optional(),
})

/** Answers `/demo/faults`, `/demo/journal` and `/demo/requests`. */
export function answerDemo(stage: Stage, { method, path, body }: Asked): Told {
  const answer = ANSWERS[`${method} ${path}`]
  if (answer !== undefined) return answer(stage, body)
  const [, id] = /^\/demo\/faults\/([^/]+)$/.exec(path) ?? []
  if (method !== 'DELETE' || id === undefined) throw noSuchPath()
  if (endFault(stage, id)) return { code: 200, body: { id } }
  throw new Refused(404, 'NotFound', { message: `no fault ${id}: it has happened, or was taken away` })
}

const ANSWERS: Readonly<Record<string, (stage: Stage, body: Json) => Told>> = {
  'GET /demo/faults': ({ cluster }) => ({ code: 200, body: listed(cluster) }),
  'POST /demo/faults': (stage, body) => ({ code: 201, body: begin(stage, body) }),
  'GET /demo/journal': ({ cluster }) => ({ code: 200, body: { items: cluster.journal.all() } }),
  'GET /demo/requests': ({ requests }) => ({ code: 200, body: { items: requests.all() } }),
}

const listed = (cluster: Demo): object => ({
  active: cluster.faults.active(),
  kinds: Object.entries(FAULT_KINDS).map(([kind, of]) => ({ kind, ...of })),
})

function begin(stage: Stage, body: Json): object {
  const wish = Wish.safeParse(body)
  if (!wish.success) throw badRequest(z.prettifyError(wish.error))
  try {
    return beginFault(stage, wish.data)
  } catch (error) {
    throw badRequest(errorText(error))
  }
}

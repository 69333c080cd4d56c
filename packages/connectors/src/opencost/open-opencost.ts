import { secondText, type OpenCostFigures, type Window } from '@septet/domain'
import { z } from 'zod'

import { TelemetryError } from '../dcgm/telemetry-error.ts'
import { boundedGet, type BoundedGet, plain } from '../http/bounded-get.ts'

type OpenCostOptions = {
  /** Base address, with `/model` at its end for Kubecost. */
  readonly url: string
  readonly bearerToken?: string
  readonly get?: BoundedGet
}

export type OpenCostReader = { figures(window: Window): Promise<OpenCostFigures> }

/** Reads what OpenCost or Kubecost says of a window by its API: its assets and its allocation by namespace. */
export function openOpenCost({ url, bearerToken, get = boundedGet }: OpenCostOptions): OpenCostReader {
  const base = url.replace(/\/+$/u, '')
  const headers: Record<string, string> = bearerToken === undefined ? {} : { authorization: `Bearer ${bearerToken}` }
  const ask = async <Answer>(path: string, schema: z.ZodType<Answer>): Promise<Answer> => {
    const answer = await get({ url: `${base}${path}`, headers, timeoutMs: TIMEOUT_MS, maximumBytes: MOST_BYTES })
    const read = schema.safeParse(jsonOf(answer.body))
    if (answer.status === 200 && answer.cut === undefined && read.success) return read.data
    throw new TelemetryError('not-understood', notUnderstood(plain(base), answer.status, answer.body))
  }
  return {
    figures: async ({ from, to }) => {
      const window = encodeURIComponent(`${secondText(from)},${secondText(to)}`)
      const [assets, allocation] = await Promise.all([
        ask(`/assets?window=${window}`, Assets),
        ask(`/allocation?window=${window}&aggregate=namespace&includeIdle=true`, Allocation),
      ])
      return { nodes: nodesIn(assets), namespaces: namespacesIn(allocation) }
    },
  }
}

/** A month of a large cluster takes OpenCost long to put together. */
const TIMEOUT_MS = 120_000
const MOST_BYTES = 256 * 1024 ** 2

/** NaN and infinity are null on the wire, which is unknown and not 0. */
const Amount = z.number().nullish()
type Cost = z.infer<typeof Amount>

const Asset = z.object({
  type: z.string().nullish(),
  properties: z.object({ name: z.string().nullish(), providerID: z.string().nullish() }).nullish(),
  nodeType: z.string().nullish(),
  // With a capital G, unlike in an allocation.
  GPUHours: Amount,
  gpuCost: Amount,
  adjustment: Amount,
  totalCost: Amount,
})
/** A list of maps, one a step, or one map; null, or a step that is null, where nothing is known of a window. */
function entriesOf<Entry extends z.ZodType>(entry: Entry) {
  const Step = z.record(z.string(), entry)
  const data = z.union([z.array(Step.nullable()), Step.transform((step) => [step])]).nullish()
  return z
    .object({ code: z.literal(200), data })
    .transform((answer) => (answer.data ?? []).flatMap((step) => Object.entries(step ?? {})))
}
const Assets = entriesOf(Asset)
const Allocation = entriesOf(z.object({ gpuHours: Amount, gpuCost: Amount, gpuCostAdjustment: Amount }))

const nodesIn = (assets: z.infer<typeof Assets>): OpenCostFigures['nodes'] =>
  assets.flatMap(([, { type, properties, nodeType, GPUHours, totalCost, ...costs }]) =>
    type === 'Node'
      ? [
          {
            name: properties?.name ?? '',
            providerId: properties?.providerID ?? '',
            instanceType: nodeType ?? '',
            gpuHours: GPUHours ?? undefined,
            gpuCost: adjusted(costs.gpuCost, costs.adjustment ?? 0, totalCost),
            totalCost: totalCost ?? undefined,
          },
        ]
      : [],
  )

/**
 * The cost of a node's GPUs after what a cloud's bill corrected. That is told of the whole node, as a part of its total,
 * and spread over all of it alike, as OpenCost itself does for what it calls idle.
 */
function adjusted(gpuCost: Cost, adjustment: number, totalCost: Cost): number | undefined {
  const known = gpuCost ?? undefined
  const after = totalCost ?? undefined
  if (known === undefined || after === undefined || after === adjustment) return known
  return known * (after / (after - adjustment))
}

const namespacesIn = (allocation: z.infer<typeof Allocation>): OpenCostFigures['namespaces'] =>
  allocation.map(([name, { gpuHours, gpuCost, gpuCostAdjustment }]) => {
    const isIdle = name.split('/').at(-1) === IDLE
    return {
      // Where idle is split by cluster or by node, that is before it.
      name: isIdle ? IDLE : name,
      // Idle is what is left of the cost, of which no hours are counted: they are 0 in every answer.
      gpuHours: isIdle ? undefined : (gpuHours ?? undefined),
      gpuCost: gpuCost === undefined || gpuCost === null ? undefined : gpuCost + (gpuCostAdjustment ?? 0),
    }
  })

const IDLE = '__idle__'

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const Told = z.object({ message: z.string() })

/** What is wrong, in its own words: a message in JSON, or a line of plain text, behind which some versions go on. */
function wordsIn(body: string): string | undefined {
  const told = Told.safeParse(jsonOf(body))
  return told.success ? told.data.message : /^[^<{[].{0,300}/u.exec(body.trim())?.[0]
}

function notUnderstood(name: string, status: number, body: string): string {
  const told = wordsIn(body)
  const words = told === undefined ? '' : `: ${told}`
  return `${name} answered ${status} and not as OpenCost does${words}. Give the address of its API (port 9003; /model for Kubecost).`
}

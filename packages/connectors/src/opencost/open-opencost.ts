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
      return { nodes: nodesIn(assets.data), namespaces: namespacesIn(allocation.data) }
    },
  }
}

/** A month of a large cluster takes OpenCost long to put together. */
const TIMEOUT_MS = 120_000
const MOST_BYTES = 256 * 1024 ** 2

/** NaN and infinity are null on the wire, which is unknown and not 0. */
const Amount = z.number().nullish()

const Asset = z.object({
  type: z.string().nullish(),
  properties: z.object({ name: z.string().nullish(), providerID: z.string().nullish() }).nullish(),
  nodeType: z.string().nullish(),
  // With a capital G, unlike in an allocation.
  GPUHours: Amount,
  gpuCost: Amount,
  totalCost: Amount,
})
/** One map by asset; some versions give a list of such maps, one a step. */
const Assets = z.object({
  code: z.literal(200),
  data: z.union([z.array(z.record(z.string(), Asset).nullable()), z.record(z.string(), Asset)]),
})

const Allocated = z.object({ gpuHours: Amount, gpuCost: Amount, totalCost: Amount })
const Allocation = z.object({ code: z.literal(200), data: z.array(z.record(z.string(), Allocated).nullable()) })

function nodesIn(data: z.infer<typeof Assets>['data']): OpenCostFigures['nodes'] {
  const sets = Array.isArray(data) ? data : [data]
  return sets
    .flatMap((set) => Object.values(set ?? {}))
    .flatMap(({ type, properties, nodeType, GPUHours, gpuCost, totalCost }) =>
      type === 'Node'
        ? [
            {
              name: properties?.name ?? '',
              providerId: properties?.providerID ?? '',
              instanceType: nodeType ?? '',
              gpuHours: GPUHours ?? undefined,
              gpuCost: gpuCost ?? undefined,
              totalCost: totalCost ?? undefined,
            },
          ]
        : [],
    )
}

const namespacesIn = (data: z.infer<typeof Allocation>['data']): OpenCostFigures['namespaces'] =>
  data
    .flatMap((set) => Object.entries(set ?? {}))
    .map(([name, { gpuHours, gpuCost }]) => ({ name, gpuHours: gpuHours ?? undefined, gpuCost: gpuCost ?? undefined }))

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const Told = z.object({ message: z.string() })

function notUnderstood(name: string, status: number, body: string): string {
  const told = Told.safeParse(jsonOf(body))
  const words = told.success ? `: ${told.data.message}` : ''
  return `${name} answered ${status} and not as OpenCost does${words}. Give the address of its API (port 9003; /model for Kubecost).`
}

import { isGpuResource, isMisspelledGpu } from '../gpu/gpu-resource.ts'
import { readQuantity } from './quantity.ts'

type Amounts = Readonly<Record<string, unknown>>

/** Why the API server takes no pods with these amounts, and what to do about it. */
export type AmountRefusal = { readonly because: string; readonly todo: string }

/**
 * What the API server refuses of a container's limits and requests of devices; undefined: nothing. Devices are counted
 * whole, and a request of them is their limit. Source: Kubernetes documentation, "Extended resources".
 */
export function refusedAmount(limits: Amounts, requests: Amounts): AmountRefusal | undefined {
  const names = [...new Set([...Object.keys(limits), ...Object.keys(requests)])]
  for (const name of names) {
    const refusal = isExtended(name) ? ofExtended(name, limits[name], requests[name]) : withoutDomain(name)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** Resources of Kubernetes itself have no domain, or its own. */
const isExtended = (name: string): boolean => name.includes('/') && !/^(?:[^/]+\.)?kubernetes\.io\//u.test(name)

function withoutDomain(name: string): AmountRefusal | undefined {
  if (!/^(?:gpus?|mig-.*)$/iu.test(name)) return undefined
  return {
    because: `${name} is no resource that Kubernetes has`,
    todo: 'Ask for it with its domain: nvidia.com/gpu: 1.',
  }
}

function ofExtended(name: string, limit: unknown, request: unknown): AmountRefusal | undefined {
  const [most, asked] = [written(limit), written(request)]
  return flawOf(name, most) ?? flawOf(name, asked) ?? unequal(name, most, asked)
}

/** Empty where there is none, or it is no amount at all. */
const written = (amount: unknown): string =>
  typeof amount === 'string' || typeof amount === 'number' ? String(amount).trim() : ''

function flawOf(name: string, amount: string): AmountRefusal | undefined {
  if (/^-.*[1-9]/u.test(amount))
    return { because: `${name} is ${amount}, and an amount cannot be negative`, todo: `Ask for ${name}: 1 or more.` }
  const count = readQuantity(amount)
  if (count === undefined || Number.isInteger(count)) return undefined
  return { because: `${name} is ${amount}, and must be a whole number`, todo: isDevice(name) ? SHARE : WHOLE }
}

function unequal(name: string, limit: string, request: string): AmountRefusal | undefined {
  const asked = readQuantity(request) ?? 0
  if (asked === 0 || asked === readQuantity(limit)) return undefined
  const because =
    limit === ''
      ? `${name} has a request and no limit, and needs a limit equal to its request`
      : `${name} has a request of ${request} and a limit of ${limit}, and they must be equal`
  return { because, todo: `Set limits of ${name}: ${request}; the request may be left out.` }
}

const isDevice = (name: string): boolean => isGpuResource(name) || isMisspelledGpu(name)
const WHOLE = 'Ask for a whole number.'
const SHARE =
  'Ask for a whole number. For a part of a GPU ask for what your cluster offers: a MIG device (nvidia.com/mig-1g.10gb), a share by time-slicing or MPS (nvidia.com/gpu.shared), the annotation gpu-fraction of KAI, or nvidia.com/gpumem of HAMi.'

import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

import { AuthProblem } from './auth-problem.ts'

/** A page of a list, from 1. */
export type Page = { readonly page: number; readonly perPage: number }

/** Reads `page` and `per_page`. Refuses what is not a number with 400 `validation_failed`. */
export function readPage(request: FastifyRequest): Page {
  const { data } = Query.safeParse(request.query)
  if (data === undefined) {
    throw new AuthProblem(
      400,
      'validation_failed',
      'Bad Pagination Parameters: page and per_page must be whole numbers',
    )
  }
  return { page: Math.max(1, data.page), perPage: Math.min(MOST, data.per_page === 0 ? USUAL : data.per_page) }
}

/** What clients page by. `page` must come first in each address: they read the number behind the first `=`. */
export function pageHeaders(path: string, { page, perPage }: Page, total: number): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / perPage))
  const link = (to: number, rel: string): string => `<${path}?page=${to}&per_page=${perPage}>; rel="${rel}"`
  const links = [...(page < last ? [link(page + 1, 'next')] : []), link(last, 'last')]
  return { 'x-total-count': String(total), link: links.join(', ') }
}

const USUAL = 50
const MOST = 200
const FURTHEST = 1_000_000
/** Clients send an empty text for what they do not say. */
const whole = (usual: number) =>
  z
    .string()
    .regex(/^\d{0,7}$/u)
    .default('')
    .transform((text) => (text === '' ? usual : Math.min(FURTHEST, Number(text))))
const Query = z.object({ page: whole(1), per_page: whole(USUAL) })

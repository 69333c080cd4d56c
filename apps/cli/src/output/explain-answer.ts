import type { FigureView, Operation } from '@septet/contract'
import { intervalWords } from '@septet/contract/figure-words'

import { foldText } from './fold-text.ts'
import { isFigure, valueWords } from './write-value.ts'

/**
 * What an operation answers, and of each figure of an answer what it is made of: the formula, the window, the source.
 * Of many figures with one formula the first stands for all.
 */
export function explainAnswer({ title, description }: Operation, answer: unknown, width = 110): string {
  const found = figuresIn(answer)
  const byFormula = Map.groupBy(found, ({ figure }) => `${figure.explain.formula}\n${figure.explain.source}`)
  const lines = [...byFormula.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : told(first, others.length),
  )
  const all = [title, description, ...lines].flatMap((line) =>
    foldText(line, Math.min(110, width), line.startsWith(' ') ? 11 : 0),
  )
  return `${all.join('\n')}\n`
}

type Found = { readonly path: string; readonly figure: FigureView }

function told({ path, figure }: Found, others: number): string[] {
  const { formula, window, source } = figure.explain
  const interval = intervalWords(figure)
  return [
    '',
    `${path}: ${valueWords('figure', figure)}${interval === undefined ? '' : ` (${interval})`}${others === 0 ? '' : `, and ${others} more like it`}`,
    `  formula  ${formula}`,
    `  window   ${window === null ? 'none' : `${window.from} to ${window.to}`}`,
    `  source   ${source}`,
    `  quality  ${figure.quality}${figure.because === null ? '' : `: ${figure.because}`}`,
  ]
}

function figuresIn(value: unknown, path = ''): Found[] {
  if (isFigure(value)) return [{ path, figure: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => figuresIn(inner, path === '' ? name : `${path}.${name}`))
}

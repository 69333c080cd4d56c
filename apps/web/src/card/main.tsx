// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import './card.css'

import { createRoot } from 'react-dom/client'
import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps'

import { answerOf } from './card-answer.ts'
import { Card, type Shown } from './Card.tsx'
import { connectToHost } from './host.ts'

const element = document.createElement('div')
document.body.append(element)
const root = createRoot(element)

let shown: Shown = { kind: 'waiting' }
const host = connectToHost(window, {
  onContext: (context) => {
    follow(context)
    draw()
  },
  onResult: (result) => {
    shown = answerOf(result)
    draw()
  },
  onCancelled: () => {
    shown = { kind: 'cancelled' }
    draw()
  },
})
draw()

function draw(): void {
  root.render(<Card shown={shown} open={host.opensLinks() ? host.openLink : undefined} />)
}

/** The host's theme and font; colors are Septet's, because they mean something. */
function follow({ theme, styles }: McpUiHostContext): void {
  const page = document.documentElement
  if (theme !== undefined) page.dataset['theme'] = theme
  const font = styles?.variables?.['--font-sans']
  if (font !== undefined) page.style.setProperty('--font-sans', font)
}

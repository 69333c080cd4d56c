import { INK, needHeight, write, type Paper } from './paper.ts'

/** The title of a section; never alone at the foot of a page. */
export function heading(paper: Paper, title: string, aside = ''): void {
  needHeight(paper, 90)
  paper.y += 10
  write(paper, title, { x: paper.left, y: paper.y, face: 'bold', size: 11, lines: 1 })
  if (aside !== '')
    write(paper, aside, { x: paper.left, y: paper.y + 2, size: 8, color: INK.quiet, align: 'right', lines: 1 })
  paper.y += 20
}

/** Small print. */
export function note(paper: Paper, text: string): void {
  paper.y += write(paper, text, { x: paper.left, y: paper.y, size: 8, color: INK.soft }) + 6
}

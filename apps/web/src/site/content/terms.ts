import type { Prose } from './prose.ts'

export const TERMS: Prose = {
  title: 'Terms of Service',
  lead: 'Septet is software under the Apache License 2.0. This page says in plain words what that means. The license itself is what counts.',
  parts: [
    {
      title: 'You may',
      paragraphs: [
        'Use it for anything, commercially too; copy it, change it, and give it on, changed or not, for money or without. No fee, no registration, no limit on users, clusters or GPUs.',
      ],
    },
    {
      title: 'You must',
      paragraphs: [
        'When you give it on: include the license, keep its notices of copyright, patents and attribution, and mark the files that you changed. What you run for yourself needs none of this.',
      ],
    },
    {
      title: 'Patents and names',
      paragraphs: [
        'Contributors grant a license to those of their patents that their contributions need. It ends for anyone who sues over patents in the software. The license gives no right to use the name Septet as the mark of your own product.',
      ],
    },
    {
      title: 'No warranty, no liability',
      paragraphs: [
        'It comes as it is. Nobody promises that it works, that its figures are right or that a plan it writes suits your cluster, and its authors do not answer for damage, as far as the law allows. Read a plan before you apply it.',
      ],
    },
    {
      title: 'This installation',
      paragraphs: [
        'Whoever runs it may set terms of their own for its use, and decides who may sign in. They are not the authors of Septet.',
      ],
      links: [{ label: 'Who runs it', href: '/contact' }],
    },
    {
      title: 'The license',
      paragraphs: ['The full text stands in the file LICENSE of the source, and at the Apache Software Foundation.'],
      links: [{ label: 'Apache License 2.0', href: 'https://www.apache.org/licenses/LICENSE-2.0' }],
    },
  ],
}

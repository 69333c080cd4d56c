import type { Prose } from './prose.ts'

export const TERMS: Prose = {
  title: 'Terms of Service',
  lead: 'Septet is licensed under the Apache License 2.0. This is a summary in plain language; the license itself is what counts.',
  parts: [
    {
      title: 'You can',
      paragraphs: [
        'Use, copy, modify, and redistribute Septet, commercially or not, with or without changes. No fees, no registration, and no limit on users, clusters, or GPUs.',
      ],
    },
    {
      title: 'You must',
      paragraphs: [
        'When you redistribute it, include the license, keep the copyright, patent, and attribution notices, and mark the files you changed. Running it yourself requires none of this.',
      ],
    },
    {
      title: 'Patents and trademarks',
      paragraphs: [
        'Contributors license the patents their contributions need. That license ends for anyone who files a patent suit over the software. You may not use the name Septet to brand your own product.',
      ],
    },
    {
      title: 'No warranty or liability',
      paragraphs: [
        'Septet is provided as is. Its authors don’t promise that it works, that its numbers are right, or that its plans suit your cluster, and aren’t liable for damages, as far as the law allows. Review a plan before you apply it.',
      ],
    },
    {
      title: 'This installation',
      paragraphs: [
        'The operator of this installation may set additional terms and decides who can sign in. They are not the authors of Septet.',
      ],
      links: [{ label: 'Who runs it', href: '/contact' }],
    },
    {
      title: 'Full text',
      paragraphs: ['See LICENSE in the source, or the Apache Software Foundation.'],
      links: [{ label: 'Apache License 2.0', href: 'https://www.apache.org/licenses/LICENSE-2.0' }],
    },
  ],
}

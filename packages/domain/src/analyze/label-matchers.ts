/**
 * Label matchers as they stand between the braces of a PromQL selector, like `cluster="prod",region=~"eu-.*"`. The name of a
 * metric is none of them: each query has its own.
 */
const MATCHER = String.raw`\s*(?!__name__\b)[A-Za-z_]\w*\s*(?:=~|!~|!=|=)\s*(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')\s*`
const MATCHERS = new RegExp(`^${MATCHER}(?:,${MATCHER})*$`, 'u')

/** How they are written, for anyone who wrote something else. */
export const LABEL_MATCHERS_WORDS = 'label matchers as in PromQL, without the braces, like cluster="prod"'

/** Whether a text is label matchers and nothing else. */
export const areLabelMatchers = (text: string): boolean => MATCHERS.test(text)

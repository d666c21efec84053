import type { NotificationBody } from './notification.ts'
import { linesOf, titleOf } from './text.ts'

/** Slack cuts texts at about 40 000 characters, and refuses blocks of far fewer; this is short enough for people. */
const MAX_CHARACTERS = 10_000
const MORE = '…'

/** The three that Slack's texts use for mentions and links; no other one is to be escaped. */
export const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * Body for an incoming webhook: plain text alone, which also the products take that know no blocks. Without `mrkdwn` stars
 * and ticks of values stay what they are.
 */
export function slackBody(body: NotificationBody): string {
  let text = escapeSlack(titleOf(body))
  for (const line of linesOf(body)) {
    const escaped = escapeSlack(line)
    if (text.length + escaped.length + MORE.length + 1 > MAX_CHARACTERS) {
      text += `\n${MORE}`
      break
    }
    text += `\n${escaped}`
  }
  return JSON.stringify({ text, mrkdwn: false, unfurl_links: false })
}

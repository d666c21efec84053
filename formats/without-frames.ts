/** Frames of JavaScript, Java and Ruby. */
const FRAMES = /\n\s+at (?=.*\d)|\n\S+:\d+:in /

/** A message without the stack that some reporters write behind it, with lines that change; all of it where nothing is left. */
export const withoutFrames = (message: string): string =>
  message.split(FRAMES, 1)[0]?.trim() || message

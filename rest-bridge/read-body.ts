import express, { type RequestHandler } from 'express'
import { AppError } from '../schema/errors.ts'

/**
 * Reads a JSON body, inflating it where it is compressed.
 * @param limit bytes at most, inflated
 * @returns a handler that fails with UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE or BAD_USER_INPUT
 */
export function readBody(limit: number): RequestHandler {
  const read = express.raw({ type: () => true, limit })
  return (request, response, next) => {
    if (!isJson(request.headers['content-type']))
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Content-Type: expected application/json')
    read(request, response, (error?: unknown) => {
      if (error) return next(error)
      try {
        request.body = JSON.parse(UTF8.decode(request.body ?? new Uint8Array()))
      } catch (cause) {
        return next(new AppError('BAD_USER_INPUT', 'The request body is not valid JSON', { cause }))
      }
      return next()
    })
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

const isJson = (type = ''): boolean => /^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type.trim())

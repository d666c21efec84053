/**
 * Tells other processes to look again; it carries no data that must survive. Whoever hears a message reads
 * what changed from the database, so a lost message costs time and never content.
 */
export interface PubSub {
  /** Reaches every subscriber of every process, in no promised order. Rejects never: see the class comment. */
  publish(topic: string, message: string): Promise<void>
  /**
   * @param onMessage hears every message of the topic; `null` means that some may have been missed
   * @returns unsubscribes
   */
  subscribe(topic: string, onMessage: (message: string | null) => void): () => void
  stop(): Promise<void>
}

/** Listeners of this process, by topic. Both adapters deliver through it. */
export class Subscribers {
  readonly #byTopic = new Map<string, Set<(message: string | null) => void>>()

  add(topic: string, onMessage: (message: string | null) => void): () => void {
    const listeners = this.#byTopic.get(topic) ?? new Set()
    this.#byTopic.set(topic, listeners.add(onMessage))
    return () => listeners.delete(onMessage)
  }

  deliver(topic: string, message: string): void {
    for (const onMessage of this.#byTopic.get(topic) ?? []) onMessage(message)
  }

  /** After a lost connection: everyone reads again. */
  deliverGap(): void {
    for (const listeners of this.#byTopic.values())
      for (const onMessage of listeners) onMessage(null)
  }
}

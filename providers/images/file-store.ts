/** Where files are kept, each under a plain name. None of it is ever changed: the same name is the same content. */
export interface FileStore {
  /** Null for what is not there. */
  read(name: string): Promise<Uint8Array | null>
  /** A name never shows half a file. What is there already is as new from then on. */
  write(name: string, file: { bytes: Uint8Array; type: string }): Promise<void>
  list(): Promise<string[]>
  /** When it was written last; null for what is not there. */
  written(name: string): Promise<Date | null>
  /** Does nothing where there is nothing. */
  remove(name: string): Promise<void>
}

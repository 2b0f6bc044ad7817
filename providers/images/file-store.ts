/** Files are immutable: the same name always has the same content. */
export interface FileStore {
  read(name: string): Promise<Uint8Array | null>
  /** Atomic. Writing an existing file renews its date. */
  write(name: string, file: { bytes: Uint8Array; type: string }): Promise<void>
  list(): Promise<string[]>
  modifiedAt(name: string): Promise<Date | null>
  remove(name: string): Promise<void>
  /** False when the disk is filling up, so that what can wait leaves the rest to orders. */
  hasRoom(): Promise<boolean>
}

/** One pgoutput message as a capture has it. */
export interface Payload {
  readonly bytes: Buffer;
  /** XLogData's header, where the capture tells it. */
  readonly lsn: string | null;
  readonly end: string | null;
  /** The transaction's, where the capture tells it. */
  readonly xid: number | null;
  /** Where it stands, for errors: the number of its line, message or byte. */
  readonly at: number;
}

export type PlaceKind = 'line' | 'message' | 'byte';

export function formatPlace(kind: PlaceKind, at: number): string {
  return `${kind} ${at}`;
}

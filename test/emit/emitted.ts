/** What one client gets of a script. */
import type { Message } from '../../src/pgoutput/messages.js';
import { defaultSettings } from '../../src/postgres/index.js';
import { createEmitter } from '../../src/timeline/emit.js';
import type { EmitProgress, EmitSession, PgoutputOptions } from '../../src/timeline/emitter.js';
import { WireError } from '../../src/values/wire-error.js';
import { Script } from './script.js';

export interface Emitted {
  readonly messages: Message[];
  readonly headers: bigint[];
  readonly notices: WireError[];
  readonly progress: EmitProgress[];
  readonly position: bigint;
  readonly error: WireError | undefined;
}

export type Asked = Partial<Omit<EmitSession, 'options'>> & { options?: Partial<PgoutputOptions> };

export function emitted({ db, major }: Script, { options, ...asked }: Asked = {}): Emitted {
  const { startLsn } = db.timeline.server;
  const messages: Message[] = [];
  const headers: bigint[] = [];
  const notices: WireError[] = [];
  const progress: EmitProgress[] = [];
  const session: EmitSession = {
    slotName: 's',
    settings: defaultSettings(major),
    startLsn,
    twoPhase: options?.twoPhase ?? false,
    twoPhaseAt: startLsn,
    late: false,
    ...asked,
    options: {
      protoVersion: 4,
      publicationNames: ['pub'],
      binary: false,
      messages: false,
      streaming: 'off',
      twoPhase: false,
      origin: 'any',
      ...options,
    },
  };
  const emitter = createEmitter(db.timeline, session, {
    message: (message, lsn) => {
      messages.push(message);
      headers.push(lsn);
    },
    notice: (notice) => notices.push(notice),
  });
  let error: WireError | undefined;
  try {
    for (let step = emitter.next(); step.kind !== 'idle'; step = emitter.next()) progress.push(step);
  } catch (thrown) {
    if (!(thrown instanceof WireError)) throw thrown;
    error = thrown;
  }
  return { messages, headers, notices, progress, position: emitter.position, error };
}

export const kinds = ({ messages }: Emitted): string[] => messages.map(({ kind }) => kind);

export function script(major: number, columns = ['id int4 pk', 'v text']): Script {
  const s = new Script(major);
  s.table('t', columns);
  s.publication('pub', ['t']);
  return s;
}

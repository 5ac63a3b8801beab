/** `wire`: bytes that no server would send. */
import { beginXLogData } from '../../protocol/backend-messages.js';
import type { Fault } from './fault.js';

const hexByte = (byte: number): string => `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`;

export const wire: Fault<'wire'> = ({ bytes }, context) => {
  const { writer } = context.session.output;
  switch (bytes.kind) {
    case 'payload': {
      context.report(`sent XLogData with a payload of ${bytes.bytes.length} bytes`);
      // The scenario's clock: the same time in every run.
      const block = beginXLogData(writer, context.lsn, context.lsn, context.database.timeline.server.clock);
      writer.raw(bytes.bytes);
      writer.endBlock(block);
      break;
    }
    case 'frame':
      context.report(`sent ${bytes.bytes.length} bytes unframed`);
      writer.raw(bytes.bytes);
      break;
    case 'corrupt':
      context.next(bytes.message, (frame) => {
        const was = frame.change(bytes.byte, bytes.to);
        const where = `byte ${bytes.byte} of the ${frame.payloadLength} bytes of ${bytes.message}`;
        context.report(
          was === undefined
            ? `changed nothing: there is no ${where}`
            : `changed ${where} from ${hexByte(was)} to ${hexByte(bytes.to)}`,
          frame.lsn,
        );
        return 'sent';
      });
  }
  return 'goOn';
};

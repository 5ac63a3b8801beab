/** What every push runs: each area of pgoutput once, on the majors where most changed. */
export const sampleMajors: readonly number[] = [10, 14, 16, 18];

export const sample: readonly string[] = [
  'basics-live',
  'columns-renamed',
  'copy-from',
  'ddl-add-drop',
  'identity-index',
  'messages',
  'pk-basics',
  'pub-operations',
  'pub-row-filter',
  'reconnect',
  'stream-abort',
  'stream-subabort-live',
  'toast-default',
  'truncate',
  'twophase-stream',
  'types-custom',
  'types-numeric',
];

/** The command line as a whole: finds the verb, loads only that, and turns what it throws into an exit status. */
import { styleText } from 'node:util';
import { Command, CommanderError } from 'commander';
import { Exit } from './exit.js';
import { hasColor, type Terminal } from './terminal.js';
import { version } from './version.js';

/** What a verb's module exports. */
export interface Verb {
  /** `args`: the whole command line, for a verb that takes another one after `--`. */
  readonly command: (terminal: Terminal, args: readonly string[]) => Command;
}

interface Entry {
  readonly summary: string;
  readonly load: () => Promise<Verb>;
}

const verbs: Readonly<Record<string, Entry>> = {
  serve: {
    summary: 'start the fake walsender on scenarios',
    load: async () => (await import('./serve.js')).serve,
  },
  run: {
    summary: 'run a consumer against scenarios, and judge it',
    load: async () => (await import('./run.js')).run,
  },
  lint: {
    summary: 'check scenario files',
    load: async () => (await import('./lint.js')).lint,
  },
  encode: {
    summary: 'print the messages that a client would receive',
    load: async () => (await import('./encode.js')).encode,
  },
  decode: {
    summary: 'read pgoutput bytes',
    load: async () => (await import('./decode.js')).decode,
  },
  explain: {
    summary: 'print a stream byte by byte, with what each field means',
    load: async () => (await import('./explain.js')).explain,
  },
  rows: {
    summary: 'print the tables that a correct consumer ends with',
    load: async () => (await import('./rows.js')).rows,
  },
  record: {
    summary: "capture a real server's stream into a scenario",
    load: async () => (await import('./record.js')).record,
  },
  tail: {
    summary: 'follow any PostgreSQL server, real or fake, and confirm what was printed',
    load: async () => (await import('./tail.js')).tail,
  },
  init: {
    summary: 'print a commented scenario to begin with',
    load: async () => (await import('./init.js')).init,
  },
  schema: {
    summary: 'print the JSON Schema of scenario files',
    load: async () => (await import('./schema.js')).schema,
  },
};

/** Runs one command line (without node and script); resolves to the exit status: 0 done, 1 wrong input, 2 wrong usage. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  if (beforeCommand(args).includes('--no-color'))
    terminal = { ...terminal, environment: { ...terminal.environment, NO_COLOR: '1' } };
  try {
    const program = await buildProgram(args, terminal);
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof Exit) {
      if (error.message) report(error.message);
      return error.status;
    }
    report(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  }

  function report(text: string): void {
    const name = hasColor(terminal.stderr, terminal) ? styleText('red', 'fake-walsender:') : 'fake-walsender:';
    terminal.stderr.write(`${name} ${text}\n`);
  }
}

async function buildProgram(args: readonly string[], terminal: Terminal): Promise<Command> {
  const program = new Command('fake-walsender')
    .description('A fake PostgreSQL walsender: tests change-data-capture consumers without a real server.')
    .version(version)
    .option('--no-color', 'no colours, as NO_COLOR in the environment')
    .addHelpText('after', '\nfake-walsender VERB --help shows a verb with its options and examples.');
  // The others are known by name and summary only: start-up loads what it needs.
  const asked = args.find((arg) => !arg.startsWith('-') && arg !== 'help');
  for (const [name, { summary, load }] of Object.entries(verbs)) {
    const command = name === asked ? (await load()).command(terminal, args) : new Command(name);
    program.addCommand(command.name(name).summary(summary));
  }
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .showHelpAfterError('(--help shows what there is)')
      .configureOutput({
        writeOut: (text) => terminal.stdout.write(text),
        writeErr: (text) => terminal.stderr.write(text),
        getOutHasColors: () => hasColor(terminal.stdout, terminal),
        getErrHasColors: () => hasColor(terminal.stderr, terminal),
      });
  }
  return program;
}

/** What comes after `--` is another program's. */
function beforeCommand(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end < 0 ? args : args.slice(0, end);
}

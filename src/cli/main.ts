#!/usr/bin/env node
import { runProgram } from './program.js';
import { processTerminal } from './terminal.js';

void runProgram(process.argv.slice(2), processTerminal()).then((status) => (process.exitCode = status));

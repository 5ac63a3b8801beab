export { ControlServer, type ControlOptions } from './control-server.js';

/** Why a server cannot start: scenarios that do not go together, a certificate or a state file that cannot be read, a port in use. */
export class CannotServe extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CannotServe';
  }
}

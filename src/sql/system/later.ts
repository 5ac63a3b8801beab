/**
 * What servers after the last recorded one have in addition, as the manual and the source say: the form of the recorded lines.
 * OIDs that nobody has observed are 0.
 */
export const laterRelationLines = `
[19-]pg_catalog.pg_publication_sequences v 0 pubname:19 schemaname:19 sequencename:19
`;

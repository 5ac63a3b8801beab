/**
 * Abbreviations that may stand in a date/time literal instead of an offset: PostgreSQL's default set.
 * Fixed ones by seconds east of Greenwich, others by the zone whose offset at that time they stand for.
 */
const fixed = `
  -36000: HST TAHT
  -34200: MART
  -32400: AKST GAMT
  -28800: AKDT PST
  -25200: MST PDT
  -21600: CST MDT GALT
  -18000: ACT COT CDT EST PET
  -14400: BOT EDT AMT AST
  -12600: NFT NST
  -10800: BRA BRT CLST GFT PMST PYST UYT WGT ADT
  -9000: NDT
  -7200: BRST FNT PMDT UYST WGST
  -3600: EGT FNST AZOT
  0: EGST AZOST GMT UCT UT UTC Z ZULU WET
  3600: WAT BST CET MET MEZ WETDST
  7200: SAST IST BDST CEST CETDST EET MEST MESZ METDST
  10800: EAT IDT EEST EETDST FET
  12600: IRT
  14400: MSD MUT RET SCT
  16200: AFT
  18000: PKT TJT UZT MUST MVT TFT
  20700: NPT
  21600: ALMT BDT BTT KGST PKST UZST XJT YEKST
  23400: MMT
  25200: ALMST ICT WAST CXT
  28800: BNT BORT CCT HKT MYT PHT AWST WADT
  31500: ACWST
  32400: JAYT JST KST ULAST AWSST WDT PWT
  34200: ACST CAST
  36000: DDUT KDT AEST LIGT CHUT MPT PGT TRUT YAPT
  37800: ACSST ACDT CADT LHST SADT
  39600: AESST AEDT PONT VUT
  43200: NZT FJT GILT MHT NZST TVT WAKT WFT
  45900: CHAST
  46800: FJST NZDT TOT
  49500: CHADT
`;
const byZone = `
  America/Argentina/Buenos_Aires=ART,ARST America/Asuncion=PYT America/Caracas=VET America/Guyana=GYT
  America/Santiago=CLT Antarctica/Davis=DAVT Antarctica/Mawson=MAWT Asia/Anadyr=ANAST,ANAT Asia/Ashgabat=TMT
  Asia/Baku=AZST,AZT Asia/Bishkek=KGT Asia/Colombo=LKT Asia/Irkutsk=IRKST,IRKT Asia/Kamchatka=PETST,PETT
  Asia/Krasnoyarsk=KRAST,KRAT Asia/Magadan=MAGST,MAGT Asia/Novosibirsk=NOVST,NOVT Asia/Omsk=OMSST,OMST
  Asia/Singapore=SGT Asia/Tbilisi=GEST,GET Asia/Ulaanbaatar=ULAT Asia/Vladivostok=VLAST,VLAT Asia/Yakutsk=YAKST,YAKT
  Asia/Yekaterinburg=YEKT Asia/Yerevan=AMST Atlantic/Stanley=FKST,FKT Australia/Lord_Howe=LHDT Europe/Moscow=MSK
  Europe/Volgograd=VOLT Indian/Chagos=IOT Pacific/Easter=EASST,EAST Pacific/Fakaofo=TKT Pacific/Kiritimati=LINT
  Pacific/Kosrae=KOST Pacific/Niue=NUT Pacific/Rarotonga=CKT
`;

const abbreviations = new Map<string, number | string>();
for (const line of fixed.trim().split(/\n(?= {2}\S)/)) {
  const [offset = '', names = ''] = line.split(':');
  for (const name of names.trim().split(/\s+/)) abbreviations.set(name.toLowerCase(), Number(offset));
}
for (const entry of byZone.trim().split(/\s+/)) {
  const [zone = '', names = ''] = entry.split('=');
  for (const name of names.split(',')) abbreviations.set(name.toLowerCase(), zone);
}

/** Seconds east of Greenwich, or the name of a zone; undefined for what is no abbreviation. `name` in lower case. */
export function zoneAbbreviation(name: string): number | string | undefined {
  return abbreviations.get(name);
}
